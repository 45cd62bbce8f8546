import { tollgate } from "@tollgate/hono";
import { Hono } from "hono";
import { gateway } from "./gateway.ts";

export const app = new Hono();
app.use("/router/v1/*", tollgate(gateway));
