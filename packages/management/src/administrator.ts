import type { Administrator } from "./administration/audited.ts";
import type { Operator } from "./authorization/authorize.ts";
import { askStore, requireStore, type StoreCalls } from "./stores.ts";

/** Returns who makes the changes of a request. Throws 404 without an audit log, so that nothing is changed without it. */
export const administratorOf = (services: StoreCalls, { actor }: Operator): Administrator => ({
  actor,
  audit: requireStore(services, "audit"),
  ask: (call) => askStore(services, call),
});
