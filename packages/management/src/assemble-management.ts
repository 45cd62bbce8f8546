import type { Observer } from "@tollgate/core";
import {
  type Awaitable,
  filledText,
  functionValue,
  optionMembers,
  requireOptions,
  wanted,
} from "@tollgate/core/internal";
import * as v from "valibot";
import type { Authorize } from "./authorization/authorize.ts";
import type { ManagedGateway, ManagementServices, ManagementStores } from "./operations/context.ts";
import {
  commonOptions,
  gatewayOption,
  operationServices,
  originsOption,
  storeOptions,
} from "./operations/operation-services.ts";

/** Options of `management`. */
export interface ManagementOptions {
  readonly gateway: ManagedGateway;
  readonly stores: ManagementStores;
  /** Decides who may use the API: `managementTokens`, `basicLogin`, or a function of the host. */
  readonly authorize: Authorize;
  /** The currency of all amounts for display, as in ISO 4217: "USD". */
  readonly currency?: string;
  /**
   * Origins whose pages may make changes, besides that of the request's `Host`: for a proxy that changes `Host`, with
   * browsers that send no `Sec-Fetch-Site`.
   */
  readonly origins?: readonly string[];
  /** Where the router is mounted, such as "/router/v1" or a whole URL: for the snippets and the playground of the page. */
  readonly routerUrl?: string;
  /** Where the session endpoints are mounted. */
  readonly sessionsUrl?: string;
  /** Where the host signs operators out, for the link of the page. Absent: `basicLogin` signs out by itself. */
  readonly signOutUrl?: string;
  /** The path of the mount that `fetch` assumes where no adapter sets one; "". */
  readonly basePath?: string;
  /** The timeout of a store, in milliseconds; 2,000. Sums and lists of usage have at least 30 seconds. */
  readonly storeTimeoutMs?: number;
  /**
   * Returns what else needs a person, each as a sentence, for Health: `paymentProblems(store)` of `@tollgate/payments`, for
   * example. Called for each request of Health.
   */
  readonly problems?: () => Awaitable<readonly string[]>;
  /** Receives an event for each request. Absent: errors of the server go to `console.error`, each once per minute. */
  readonly observer?: Observer;
}

const managementSchema = optionMembers("the options of management", {
  gateway: gatewayOption,
  stores: optionMembers("`stores`", storeOptions),
  authorize: functionValue<Authorize>(
    "Nothing is reachable without it: pass `managementTokens([...])` or `basicLogin({ user, password })`",
  ),
  currency: v.exactOptional(filledText),
  origins: v.exactOptional(originsOption),
  routerUrl: v.exactOptional(filledText),
  sessionsUrl: v.exactOptional(filledText),
  signOutUrl: v.exactOptional(filledText),
  basePath: v.exactOptional(v.string(wanted("must be a path"))),
  problems: v.exactOptional(functionValue<ManagementServices["problems"]>('Pass () => ["..."]')),
  ...commonOptions,
});

/** Creates the services of a management API. Throws a TypeError that lists all problems of the options; `factory` is its name. */
export function assembleManagement(factory: string, options: ManagementOptions): ManagementServices {
  const { authorize, origins, problems = () => [], ...settings } = requireOptions(factory, managementSchema, options);
  return {
    ...operationServices("management", settings),
    authorize,
    origins: new Set(origins),
    currency: settings.currency ?? null,
    routerUrl: settings.routerUrl ?? null,
    sessionsUrl: settings.sessionsUrl ?? null,
    signOutUrl: settings.signOutUrl ?? (authorize.signOut === undefined ? null : "sign-out"),
    problems,
  };
}
