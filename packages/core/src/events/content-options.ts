import * as v from "valibot";
import { functionValue, port, wholeNumber } from "../options/leaves.ts";
import { optionMembers } from "../options/members.ts";
import type { ContentStore, RequestContentRecord } from "../ports/content-store.ts";

/**
 * Where the content of requests is stored. Only requests of models and keys with `logContent` are; no other option stores
 * prompts or answers.
 */
export interface ContentOptions {
  readonly store: ContentStore;
  /** Returns what may be stored of a record; undefined: nothing. If it throws, nothing is stored. */
  readonly redact?: (record: RequestContentRecord) => RequestContentRecord | undefined;
  /** The most bytes of a request, and of an answer, that are stored; a larger one is left out. Default: 1,048,576. */
  readonly maxBytes?: number;
  /** Days after which content is removed. Default: 30. */
  readonly retentionDays?: number;
}

/** The schema of {@link ContentOptions}. */
export const contentSchema = optionMembers("the option `content`", {
  store: port<ContentStore>(
    "a ContentStore",
    ["record", "find", "prune"],
    "memoryContentStore(), or fileContentStore() of @tollgate/node",
  ),
  redact: v.exactOptional(
    functionValue<NonNullable<ContentOptions["redact"]>>("Give (record) => record, or leave it out."),
  ),
  maxBytes: v.exactOptional(wholeNumber()),
  retentionDays: v.exactOptional(wholeNumber()),
});
