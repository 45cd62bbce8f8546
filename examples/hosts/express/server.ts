import { tollgate } from "@tollgate/express";
import compression from "compression";
import cors from "cors";
import express from "express";
import helmet from "helmet";
import morgan from "morgan";
import { gateway } from "../../shop/src/gateway.ts";
import { failToListen, port } from "../../shop/src/port.ts";

const app = express();
app.use(morgan("combined"), helmet(), cors(), compression(), express.json({ limit: "1mb" }));
app.use("/router/v1", tollgate(gateway));
app.use("/assistants", tollgate(gateway.sessions));
app.get("/", (_req, res) => void res.send("The shop"));

app.listen(port).on("error", failToListen);
