import { tollgate } from "@tollgate/express";
import express from "express";
import { operatorDashboard } from "../shared/dashboard.ts";
import { gateway } from "../shared/gateway.ts";
import { host, port, run } from "../shared/run.ts";

const app = express();
app.use("/router/v1", tollgate(gateway));
app.use("/dashboard", tollgate(operatorDashboard));

await run(app.listen(port, host));
