import type { Observer } from "@tollgate/core";
import { filledText, functionValue, optionMembers, requireOptions, wanted, wholeNumber } from "@tollgate/core/internal";
import type { ManagedGateway, ManagementStores } from "@tollgate/management";
import {
  commonOptions,
  gatewayOption,
  type OperationServices,
  operationServices,
  originsOption,
  storeOptions,
} from "@tollgate/management/internal";
import * as v from "valibot";
import type { AuthorizeCustomer, Customer } from "./customer.ts";
import { noticesOf, noticesOption, type PortalNotices } from "./notice-settings.ts";
import { type GivenTexts, textsOption } from "./texts-option.ts";

/** The stores that the portal shows and changes. Pages of a store that is absent say that it is not configured. One object may be several of them. */
export type PortalStores = Pick<ManagementStores, "keys" | "accounts" | "balances" | "terms" | "usage" | "audit">;

/** The keys that customers create. */
export interface PortalKeys {
  /** The id of their plan. Let it count its limits with `per: "account"`, so that more keys give no more. */
  readonly plan: string;
  /** The active keys that an account may have in the plan; 20. Keys of the host in the same plan count. */
  readonly most?: number;
}

/** Options of `portal`. */
export interface PortalOptions {
  readonly gateway: ManagedGateway;
  readonly stores: PortalStores;
  /** Decides by the host's own login who a customer is and what they may change. */
  readonly authorize: AuthorizeCustomer;
  /** Where strangers sign in: the page redirects there, with the address they wanted as `return_to`. Absent: they get 401. */
  readonly signInUrl?: string;
  /** Where the host signs customers out, for the link of the page. */
  readonly signOutUrl?: string;
  /** Absent: customers create no keys. */
  readonly keys?: PortalKeys;
  /** Where `payments` is mounted, on the same origin. Absent: the page has no shop. */
  readonly paymentsUrl?: string;
  /** Where the host stores which notices customers want, and their mail addresses. Absent: the page does not ask for them. */
  readonly notices?: PortalNotices;
  /** The currency of all amounts for display, as in ISO 4217: "USD". */
  readonly currency?: string;
  /** Where the router is mounted, such as "/router/v1" or a whole URL, for the snippets. */
  readonly routerUrl?: string;
  /** Texts that replace the English ones of the page, in their groups. */
  readonly texts?: GivenTexts;
  /** Origins whose pages may make changes, besides that of the request's `Host`. */
  readonly origins?: readonly string[];
  /** The path of the mount that `fetch` assumes where no adapter sets one; "". */
  readonly basePath?: string;
  /** The timeout of a store, in milliseconds; 2,000. Sums and lists of usage have at least 30 seconds. */
  readonly storeTimeoutMs?: number;
  /** Receives an event for each request. Absent: errors of the server go to `console.error`, each once per minute. */
  readonly observer?: Observer;
}

const { keys, accounts, balances, terms, usage, audit } = storeOptions;

const portalSchema = optionMembers("the options of portal", {
  gateway: gatewayOption,
  stores: optionMembers("`stores`", { keys, accounts, balances, terms, usage, audit }),
  authorize: functionValue<AuthorizeCustomer>(
    "Nothing is reachable without it: pass (request) => ({ account, user, may }) by your own login",
  ),
  signInUrl: v.exactOptional(filledText),
  signOutUrl: v.exactOptional(filledText),
  keys: v.exactOptional(
    optionMembers("the keys of the portal", { plan: filledText, most: v.exactOptional(wholeNumber()) }),
  ),
  paymentsUrl: v.exactOptional(filledText),
  notices: v.exactOptional(noticesOption),
  currency: v.exactOptional(filledText),
  routerUrl: v.exactOptional(filledText),
  texts: v.exactOptional(textsOption),
  origins: v.exactOptional(originsOption),
  basePath: v.exactOptional(v.string(wanted("must be a path"))),
  ...commonOptions,
});

/** What the host has decided about the portal. */
export interface PortalSettings {
  readonly signInUrl: string | undefined;
  readonly signOutUrl: string | null;
  /** Null: customers create no keys. */
  readonly keys: Required<PortalKeys> | null;
  readonly paymentsUrl: string | null;
  /** Null: customers set no notices. */
  readonly notices: Required<PortalNotices> | null;
  readonly currency: string | null;
  readonly routerUrl: string | null;
  readonly texts: GivenTexts;
}

/** All objects that live as long as a portal. */
export interface PortalServices extends OperationServices {
  readonly authorize: AuthorizeCustomer;
  readonly origins: ReadonlySet<string>;
  readonly settings: PortalSettings;
}

/** What an operation of the portal works on: all of it is bound to the account of the customer. */
export interface PortalContext extends PortalServices {
  readonly customer: Customer;
}

const defaultMostKeys = 20;

/** Creates the services of a portal. Throws a TypeError that lists all problems of the options. */
export function assemblePortal(options: PortalOptions): PortalServices {
  const { authorize, origins, ...given } = requireOptions("portal", portalSchema, options);
  requirePlan(given.gateway, given.keys?.plan);
  return {
    ...operationServices("portal", given),
    authorize,
    origins: new Set(origins),
    settings: {
      signInUrl: given.signInUrl,
      signOutUrl: given.signOutUrl ?? null,
      keys: given.keys === undefined ? null : { most: defaultMostKeys, ...given.keys },
      paymentsUrl: given.paymentsUrl ?? null,
      notices: given.notices === undefined ? null : noticesOf(given.notices),
      currency: given.currency ?? null,
      routerUrl: given.routerUrl ?? null,
      texts: given.texts ?? {},
    },
  };
}

/** Throws a TypeError for a plan that the gateway does not have, with which every request of a new key would fail. */
function requirePlan(gateway: ManagedGateway, wanted: string | undefined): void {
  const plans = gateway.inspect().plans.map(({ id }) => id);
  if (wanted === undefined || plans.includes(wanted)) return;
  throw new TypeError(
    `portal: \`keys.plan\` names "${wanted}", which is not a plan of the gateway. Its plans are ${plans.join(", ")}.`,
  );
}
