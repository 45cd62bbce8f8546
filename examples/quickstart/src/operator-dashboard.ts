import type { WithAssistants } from "@tollgate/assistants";
import type { Gateway, Mountable } from "@tollgate/core";
import { type BasicLoginOptions, basicLogin, dashboard } from "@tollgate/dashboard";
import type { SqliteStores } from "@tollgate/sqlite";

/** The path of the dashboard. */
export const dashboardPath = "/dashboard";

/** The dashboard with the management API, for whoever knows the login. */
export function operatorDashboard(
  gateway: Gateway & WithAssistants,
  stores: SqliteStores,
  login: BasicLoginOptions,
): Mountable {
  const { keys, balances, terms, sessions, responses, usage, audit } = stores;
  return dashboard({
    gateway,
    stores: { keys, balances, accounts: balances, terms, sessions, responses, usage, audit },
    authorize: basicLogin(login),
    currency: "USD",
    routerUrl: "/router/v1",
    sessionsUrl: "/",
  });
}
