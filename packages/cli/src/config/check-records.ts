import type { Records } from "../records.ts";

const methods = {
  keys: ["create", "get", "list", "update", "revoke", "rotate"],
  balances: ["credit", "debit", "balance", "entries", "verify"],
  accounts: ["listAccounts", "findAccount", "limitSpend", "spendOf"],
  usage: ["summary", "list"],
  terms: ["accept", "listAcceptances"],
  sessions: ["listSessions", "findSession", "messages", "logs"],
  audit: ["append", "list"],
} as const;

/** Returns the problem with the default export of a config file and its solution, or undefined if there is none. */
export function checkRecords(records: Records | undefined): string | undefined {
  if (typeof records !== "object" || records === null) {
    return "It has no default export with stores. Write: export default { keys, balances };";
  }
  return (
    checkMethods("keys", records.keys) ??
    checkMethods("balances", records.balances) ??
    checkMethods("accounts", records.accounts) ??
    checkMethods("usage", records.usage) ??
    checkMethods("terms", records.terms) ??
    checkMethods("sessions", records.sessions) ??
    checkMethods("audit", records.audit) ??
    checkPlans(records.plans) ??
    checkClose(records)
  );
}

function checkMethods(name: keyof typeof methods, store: object | undefined): string | undefined {
  if (store === undefined) return undefined;
  const missing = methods[name].filter((method) => !isFunction(store, method));
  if (missing.length === 0) return undefined;
  return `Its \`${name}\` does not have the methods ${missing.join(", ")}. Export a store, such as one of @tollgate/sqlite.`;
}

const checkPlans = (plans: unknown): string | undefined =>
  plans === undefined || (Array.isArray(plans) && plans.every((plan) => typeof plan === "string"))
    ? undefined
    : "Its `plans` is not a list of ids. Export the ids of the gateway's plans, or omit it.";

const checkClose = (records: Records): string | undefined =>
  records.close === undefined || isFunction(records, "close")
    ? undefined
    : "Its `close` is not a function. Export a function that closes what the file opened, or omit it.";

const isFunction = (value: unknown, name: string): boolean =>
  typeof value === "object" && value !== null && typeof Reflect.get(value, name) === "function";
