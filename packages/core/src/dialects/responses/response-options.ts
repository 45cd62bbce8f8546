import * as v from "valibot";
import { port, wholeNumber } from "../../options/leaves.ts";
import { optionMembers } from "../../options/members.ts";
import type { ResponseStore } from "../../ports/response-store.ts";

/** Stores responses of the Responses API, so that clients can read, continue and delete them. */
export interface ResponseOptions {
  readonly store: ResponseStore;
  /** How long a response is kept, in days; 30. */
  readonly retentionDays?: number;
  /** The most bytes of all stored responses of one account; 268,435,456. Above it, answers say `store: false`. */
  readonly maxAccountBytes?: number;
}

/** The schema of {@link ResponseOptions}. */
export const responsesSchema = optionMembers("the option `responses`", {
  store: port<ResponseStore>(
    "a ResponseStore",
    ["save", "find", "conversation", "input", "items", "delete", "expire"],
    "memoryResponseStore(), or `responses` of sqliteStores() or postgresStores()",
  ),
  retentionDays: v.exactOptional(wholeNumber()),
  maxAccountBytes: v.exactOptional(wholeNumber()),
});
