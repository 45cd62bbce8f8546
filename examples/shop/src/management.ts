import { management, managementTokens } from "@tollgate/management";
import { audit, balances, gateway, keys, sessions, terms, usage } from "./gateway.ts";

const sha256 = process.env["ADMIN_TOKEN_SHA256"] ?? "";

/** Mount it like a gateway: `app.use("/manage", tollgate(api))`. */
export const api = management({
  gateway,
  stores: { keys, accounts: balances, balances, terms, sessions, usage, audit },
  authorize: managementTokens([{ sha256, actor: "deploy-script", role: "admin" }]),
  currency: "USD",
});
