import { type Customer, portal } from "@tollgate/portal";
import { audit, balances, gateway, keys, terms, usage } from "./gateway.ts";
import { accountOf } from "./login-cookie.ts";
import { noticeSettings } from "./notice-settings.ts";

/** Mount it like a gateway: `app.use("/account", tollgate(customerPage))`. */
export const customerPage = portal({
  gateway,
  stores: { keys, accounts: balances, balances, terms, usage, audit },
  authorize: (request) => customerOf(request.headers.get("cookie") ?? undefined),
  signInUrl: "/login",
  signOutUrl: "/logout",
  keys: { plan: "prepaid", most: 10 },
  ...(process.env["STRIPE_API_KEY"] !== undefined && { paymentsUrl: "/payments" }),
  notices: noticeSettings,
  currency: "USD",
  routerUrl: "/router/v1",
  texts: { pages: { brand: "Acme" } },
});

/** Who is logged in has an account of their own, and may do everything with it. */
function customerOf(cookie: string | undefined): Customer | undefined {
  const account = accountOf(cookie);
  return account === undefined ? undefined : { account, user: account, may: ["keys", "pay", "terms", "notices"] };
}
