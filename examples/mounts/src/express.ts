import { tollgate } from "@tollgate/express";
import express from "express";
import { gateway } from "../../shop/src/gateway.ts";

export const app: express.Express = express();
app.use("/router/v1", tollgate(gateway));
