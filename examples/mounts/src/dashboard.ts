import { basicLogin, dashboard } from "@tollgate/dashboard";
import { tollgate } from "@tollgate/express";
import express from "express";
import { gateway } from "./gateway.ts";
import { audit, balances, keys, sessions, terms, usage } from "./stores-in-sqlite.ts";

const password = process.env["DASHBOARD_PASSWORD"] ?? "";

const page = dashboard({
  gateway,
  stores: { keys, accounts: balances, balances, terms, sessions, usage, audit },
  authorize: basicLogin({ user: "admin", password }),
  currency: "USD",
  routerUrl: "/router/v1",
});

export const app: express.Express = express();
app.use("/router/v1", tollgate(gateway));
app.use("/tollgate", tollgate(page));
