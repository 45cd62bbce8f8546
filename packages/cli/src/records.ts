import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { ModelConfig } from "@tollgate/core";
import { type Awaitable, checkModels } from "@tollgate/core/internal";
import type {
  AccountAdmin,
  AuditLog,
  BalanceStore,
  ContentStore,
  KeyAdmin,
  ResponseStore,
  SessionAdmin,
  SessionStore,
  TermsAdmin,
  TermsStore,
  UsageStore,
} from "@tollgate/core/store";
import type { PaymentProvider, PaymentStore } from "@tollgate/payments";
import { Failure, reasonOf } from "./failure.ts";

/** The stores of the commands. A command whose store is absent fails with a message. */
export interface Records {
  readonly keys?: KeyAdmin;
  readonly balances?: BalanceStore;
  /** Lists accounts and limits what they spend. Absent: `balances`, if it implements AccountAdmin. */
  readonly accounts?: AccountAdmin;
  readonly usage?: UsageStore;
  readonly terms?: TermsStore & TermsAdmin;
  readonly sessions?: SessionStore & SessionAdmin;
  /** For `accounts export` and `accounts forget`. */
  readonly responses?: ResponseStore;
  /** For `accounts export` and `accounts forget`. */
  readonly content?: ContentStore;
  readonly audit?: AuditLog;
  /** The options `store` and `provider` of the gateway's payments; also for `accounts export` and `accounts forget`. */
  readonly payments?: { readonly store: PaymentStore; readonly provider: PaymentProvider };
  /** The databases that accounts are spread over: the member `shards` of `shardedStores` of @tollgate/postgres. */
  readonly shards?: ShardRecords;
  /** The ids of the gateway's plans. If present, `keys create` rejects other plans. */
  readonly plans?: readonly string[];
  /** The gateway's option `models`, for `prices check`. */
  readonly models?: readonly ModelConfig[] | (() => readonly ModelConfig[]);
  /** Called when the command has ended, successfully or not, to close what the file opened. */
  close?(): void | Promise<void>;
}

/** What the commands on shards call. */
export interface ShardRecords {
  list(): Promise<readonly ShardRecord[]>;
  open(name: string): Promise<void>;
  close(name: string): Promise<void>;
  /** Moves an account to a shard. `frozenMs` is for how many milliseconds it could not be changed. */
  move(account: string, to: string): Promise<{ readonly from: string; readonly frozenMs: number }>;
}

/** A shard, whether new accounts are assigned to it, and the number of its accounts. */
export interface ShardRecord {
  readonly name: string;
  readonly isOpen: boolean;
  readonly accounts: number;
}

/** The default export of a config file: the records, a promise of them, or a function that returns either. */
export type RecordsSource = Awaitable<Records> | (() => Awaitable<Records>);

/** The exports of a config file that has not been checked. */
export interface ConfigFile {
  readonly default: RecordsSource;
  readonly prove?: unknown;
}

/** Runs the config file and returns its default export, or what `choose` takes of it. Throws a Failure that names the file. */
export async function loadRecords(
  file: string,
  choose = (config: ConfigFile): RecordsSource => config.default,
): Promise<Records> {
  const records = await runFile(file, choose);
  const problem = checkRecords(records);
  if (problem !== undefined) throw new Failure("config", `${file}: ${problem}`);
  return records;
}

async function runFile(file: string, choose: (config: ConfigFile) => RecordsSource): Promise<Records> {
  try {
    const source = choose(await import(pathToFileURL(file).href));
    return await (typeof source === "function" ? source() : source);
  } catch (error) {
    if (error instanceof Failure) throw error;
    throw new Failure("config", isUnknownKind(error) ? newerNode(file) : unloadable(file, error));
  }
}

const isUnknownKind = (error: unknown): boolean =>
  error instanceof Error && "code" in error && error.code === "ERR_UNKNOWN_FILE_EXTENSION";

const newerNode = (file: string): string =>
  `${file} cannot be loaded: Node ${process.versions.node} does not support this file type. ` +
  "Write it in JavaScript (.mjs), or use Node 22.18 or newer for TypeScript.";

const unloadable = (file: string, error: unknown): string =>
  `${file} cannot be loaded: ${reasonOf(error)}. Fix the file or the service that it connects to, and try again.`;

const names = ["tollgate.config.mjs", "tollgate.config.js", "tollgate.config.ts"];

/** Returns the path of the config file: the given one, or the first default name that exists in the folder. */
export function findConfig(folder: string, path: string | undefined): string {
  const candidates = path === undefined ? names : [path];
  const found = candidates.map((name) => resolve(folder, name)).find((path) => existsSync(path));
  if (found !== undefined) return found;
  throw new Failure(
    "config",
    path === undefined
      ? `There is no config file: ${folder} has none of ${names.join(", ")}. ` +
          "Create one that exports your stores by default, or name one with --config <file>."
      : `The config file ${resolve(folder, path)} does not exist. Pass the path of a file that exports your stores by default.`,
  );
}

/** The methods of each store that the commands call. */
const methods: { readonly [Name in StoreName]: readonly (keyof NonNullable<Records[Name]>)[] } = {
  keys: ["create", "get", "list", "update", "revoke", "rotate"],
  balances: ["credit", "debit", "refund", "balance", "entries", "verify"],
  accounts: ["listAccounts", "findAccount", "limitSpend", "spendOf", "freeze", "thaw", "forget"],
  usage: ["summary", "list", "forget"],
  terms: ["accept", "listAcceptances"],
  sessions: ["listSessions", "findSession", "messages", "logs", "forget"],
  responses: ["list", "input", "forget"],
  content: ["list", "remove"],
  audit: ["append", "list"],
  shards: ["list", "open", "close", "move"],
};

type StoreName = Exclude<keyof Records, "payments" | "plans" | "models" | "close">;

/** The balance stores of Tollgate also implement AccountAdmin. */
export const isAccountAdmin = (store: object): store is AccountAdmin =>
  methods.accounts.every((method) => isFunction(store, method));

/** Returns the problem with the default export of a config file and its solution, or undefined if there is none. */
function checkRecords(records: Records | undefined): string | undefined {
  if (typeof records !== "object" || records === null) {
    return "It has no default export with stores. Write: export default { keys, balances };";
  }
  for (const [name, required] of Object.entries(methods)) {
    const store: unknown = Reflect.get(records, name);
    const missing = store === undefined ? [] : required.filter((method) => !isFunction(store, method));
    if (missing.length > 0) {
      return `Its \`${name}\` does not have the methods ${missing.join(", ")}. Export a store, such as one of @tollgate/sqlite.`;
    }
  }
  return (
    checkPayments(records.payments) ??
    checkPlans(records.plans) ??
    checkListOfModels(records.models) ??
    checkClose(records)
  );
}

const checkPayments = (payments: unknown): string | undefined =>
  payments === undefined ||
  (["list", "topUp", "forget"].every((method) => isFunction(member(payments, "store"), method)) &&
    isFunction(member(payments, "provider"), "movements"))
    ? undefined
    : "Its `payments` is not { store, provider }. Export the options `store` and `provider` of payments(), or omit it.";

const member = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;

const checkPlans = (plans: unknown): string | undefined =>
  plans === undefined || (Array.isArray(plans) && plans.every((plan) => typeof plan === "string"))
    ? undefined
    : "Its `plans` is not a list of ids. Export the ids of the gateway's plans, or omit it.";

/** What a function returns is checked when a command calls it. */
function checkListOfModels(models: Records["models"]): string | undefined {
  if (models === undefined || typeof models === "function") return undefined;
  const [problem] = checkModels(models);
  return problem && `${problem} Export the gateway's option \`models\`, or omit it.`;
}

const checkClose = (records: Records): string | undefined =>
  records.close === undefined || isFunction(records, "close")
    ? undefined
    : "Its `close` is not a function. Export a function that closes what the file opened, or omit it.";

const isFunction = (value: unknown, name: string): boolean =>
  typeof value === "object" && value !== null && typeof Reflect.get(value, name) === "function";

const timeoutMs = 5_000;

/** Closes what the config file opened. A close that fails or takes more than 5 s is only reported to `warn`. */
export async function closeRecords(records: Records, warn: (problem: string) => Promise<void>): Promise<void> {
  try {
    await withTimeout(Promise.resolve(records.close?.()));
  } catch (error) {
    await warn(
      `The command has ended, but closing the stores failed: ${reasonOf(error)}. Fix \`close\` in the config file.`,
    );
  }
}

function withTimeout(closed: Promise<void>): Promise<void> {
  return new Promise((resolve, reject) => {
    const timeOut = () => reject(new Error(`it takes longer than ${timeoutMs / 1_000} s`));
    const timer = setTimeout(timeOut, timeoutMs);
    closed.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
