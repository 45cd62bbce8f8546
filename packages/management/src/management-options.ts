import type { Observer } from "@tollgate/core";
import { arrayOf, filledText, functionValue, optionMembers, port, wanted, wholeNumber } from "@tollgate/core/internal";
import type {
  AccountAdmin,
  AuditLog,
  BalanceStore,
  ContentStore,
  KeyAdmin,
  NoticeOutbox,
  SessionAdmin,
  SessionStore,
  TermsAdmin,
  UsageStore,
} from "@tollgate/core/store";
import * as v from "valibot";
import type { Authorize } from "./authorization/authorize.ts";
import type { ManagedGateway } from "./managed-gateway.ts";
import type { ManagementStores } from "./operations/context.ts";

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
  /** Receives an event for each request. Absent: errors of the server go to `console.error`, each once per minute. */
  readonly observer?: Observer;
}

const storesSchema = optionMembers("`stores`", {
  keys: v.exactOptional(port<KeyAdmin>("a key store", ["list", "get", "update"], "memoryKeyStore()")),
  accounts: v.exactOptional(
    port<AccountAdmin>("a store of accounts", ["listAccounts", "spendOf"], "memoryBalanceStore()"),
  ),
  balances: v.exactOptional(port<BalanceStore>("a balance store", ["entries", "credit"], "memoryBalanceStore()")),
  terms: v.exactOptional(port<TermsAdmin>("a terms store", ["listAcceptances"], "memoryTermsStore()")),
  usage: v.exactOptional(port<UsageStore>("a usage store", ["summary", "attempts", "list"], "memoryUsageStore()")),
  sessions: v.exactOptional(
    port<SessionStore & SessionAdmin>("a session store", ["listSessions", "messages"], "memorySessionStore()"),
  ),
  content: v.exactOptional(port<ContentStore>("a content store", ["find"], "memoryContentStore()")),
  notices: v.exactOptional(port<NoticeOutbox>("an outbox of notices", ["waitingNotices"], "memoryBalanceStore()")),
  audit: v.exactOptional(port<AuditLog>("an audit log", ["append", "list"], "memoryAuditLog()")),
});

/** The schema of {@link ManagementOptions}. */
export const managementSchema = optionMembers("the options of management", {
  gateway: port<ManagedGateway>("a gateway", ["inspect", "fetch"], "createGateway(...)"),
  stores: storesSchema,
  authorize: functionValue<Authorize>(
    "Nothing is reachable without it: pass `managementTokens([...])` or `basicLogin({ user, password })`",
  ),
  currency: v.exactOptional(filledText),
  origins: v.exactOptional(
    arrayOf(
      "origins",
      v.custom<string>(
        (value) => typeof value === "string" && /^https?:\/\/[^/]+$/.test(value),
        wanted('must be an origin, such as "https://admin.example"'),
      ),
    ),
  ),
  routerUrl: v.exactOptional(filledText),
  sessionsUrl: v.exactOptional(filledText),
  signOutUrl: v.exactOptional(filledText),
  basePath: v.exactOptional(v.string(wanted("must be a path"))),
  storeTimeoutMs: v.exactOptional(wholeNumber()),
  observer: v.exactOptional(functionValue<Observer>("Pass (event) => ...")),
});
