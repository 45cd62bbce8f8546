import { tollgate } from "@tollgate/express";
import express from "express";
import { operatorDashboard } from "./dashboard.ts";
import { gateway } from "./gateway.ts";
import { host, port, run } from "./run.ts";

const app = express();
app.use("/router/v1", tollgate(gateway));
app.use("/dashboard", tollgate(operatorDashboard));

await run(app.listen(port, host));
