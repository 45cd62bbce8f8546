import type { AnswerOf, ItemOf, listRequests, showRequest } from "@tollgate/management/operations";
import type { Shown } from "./common.ts";

/** One finished request. `estimated` is true when the tokens are an estimate. */
export type RequestRow = Shown<ItemOf<typeof listRequests>>;

/** A step of a request; `at` is in milliseconds from its start. */
export type TimelineStep = RequestRow["timeline"][number];

/** The answer of GET requests/{id}. `content` is null when content logging is off or the role may not read it. */
export type RequestDetail = Shown<AnswerOf<typeof showRequest>>;
