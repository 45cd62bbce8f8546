import { basicLogin, dashboard } from "@tollgate/dashboard";
import { readVariable } from "./environment.ts";
import { gateway } from "./gateway.ts";
import { audit, balances, keys, usage } from "./stores.ts";

export const login = { user: "admin", password: readVariable("DASHBOARD_PASSWORD") };

export const operatorDashboard = dashboard({
  gateway,
  stores: { keys, accounts: balances, balances, usage, audit },
  authorize: basicLogin(login),
  currency: "USD",
  routerUrl: "/router/v1",
});
