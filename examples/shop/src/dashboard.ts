import { basicLogin, dashboard } from "@tollgate/dashboard";
import { audit, balances, gateway, keys, sessions, terms, usage } from "./gateway.ts";

const password = process.env["DASHBOARD_PASSWORD"] ?? "";

/** Mount it like a gateway: `app.use("/tollgate", tollgate(page))`. */
export const page = dashboard({
  gateway,
  stores: { keys, accounts: balances, balances, terms, sessions, usage, audit },
  authorize: basicLogin({ user: "admin", password }),
  currency: "USD",
  routerUrl: "/router/v1",
});
