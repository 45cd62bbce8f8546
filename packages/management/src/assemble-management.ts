import { consoleObserver, GatewayError } from "@tollgate/core";
import { callStoreWithTimeout, requireOptions, SharedTicker } from "@tollgate/core/internal";
import { type ManagementOptions, managementSchema } from "./management-options.ts";
import type { StoreName } from "./operations/context.ts";
import type { ManagementServices } from "./services.ts";

const bodies = { stalledMs: 30_000, slowAfterMs: 60_000, minBytesPerSecond: 1_024, waitMs: 2_000 };
const defaultStoreTimeoutMs = 2_000;

/** Creates the services of a management API. Throws a TypeError that lists all problems of the options; `factory` is its name. */
export function assembleManagement(factory: string, options: ManagementOptions): ManagementServices {
  const { gateway, stores, authorize, origins, observer, ...settings } = requireOptions(
    factory,
    managementSchema,
    options,
  );
  const { storeTimeoutMs = defaultStoreTimeoutMs } = settings;
  return {
    gateway,
    stores,
    authorize,
    origins: new Set(origins),
    currency: settings.currency ?? null,
    routerUrl: settings.routerUrl ?? null,
    sessionsUrl: settings.sessionsUrl ?? null,
    signOutUrl: settings.signOutUrl ?? (authorize.signOut === undefined ? null : "sign-out"),
    ask: async (call, patienceMs = 0) => callStoreWithTimeout(Math.max(storeTimeoutMs, patienceMs), call, () => true),
    acceptTerms: (account, versionId) => gateway.terms.accept(account, versionId),
    missing: storeMissing,
    unread: gateway.unread,
    observe: observer ?? consoleObserver(),
    observed: observer !== undefined,
    maxBodyBytes: 65_536,
    bodies,
    ticker: new SharedTicker(bodies.waitMs),
  };
}

const storeMissing = (name: StoreName): GatewayError =>
  new GatewayError(
    "not_configured",
    `This gateway has no \`stores.${name}\`, which this needs. Pass \`stores: { ${name} }\` to management().`,
  );
