import type { Records } from "../records.ts";

const verbs = {
  keys: ["create", "list", "revoke", "rotate"],
  balances: ["credit", "debit", "balance", "entries", "verify"],
} as const;

/** What is wrong with what a config file exported, as a sentence with the cure; undefined when nothing is. */
export function checkRecords(records: Records | undefined): string | undefined {
  if (typeof records !== "object" || records === null) {
    return "It exports no stores by default. Write: export default { keys, balances };";
  }
  return (
    checkVerbs("keys", records.keys) ??
    checkVerbs("balances", records.balances) ??
    checkPlans(records.plans) ??
    checkClose(records)
  );
}

function checkVerbs(name: keyof typeof verbs, store: object | undefined): string | undefined {
  if (store === undefined) return undefined;
  const missing = verbs[name].filter((verb) => !isFunction(store, verb));
  if (missing.length === 0) return undefined;
  return `Its \`${name}\` lacks ${missing.join(", ")}. Export a store, such as one of @tollgate/sqlite.`;
}

const checkPlans = (plans: unknown): string | undefined =>
  plans === undefined || (Array.isArray(plans) && plans.every((plan) => typeof plan === "string"))
    ? undefined
    : "Its `plans` is no list of ids. Export the ids of the gateway's plans, or none.";

const checkClose = (records: Records): string | undefined =>
  records.close === undefined || isFunction(records, "close")
    ? undefined
    : "Its `close` is no function. Export one that closes what the file opened, or none.";

const isFunction = (value: unknown, name: string): boolean =>
  typeof value === "object" && value !== null && typeof Reflect.get(value, name) === "function";
