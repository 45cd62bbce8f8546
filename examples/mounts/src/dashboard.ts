import { basicLogin, dashboard } from "@tollgate/dashboard";
import { tollgate } from "@tollgate/express";
import { app } from "./express.ts";
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

app.use("/tollgate", tollgate(page));
