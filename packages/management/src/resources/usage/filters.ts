import { oneOf } from "@tollgate/core/internal";
import { dialects, type UsageFilter } from "@tollgate/core/store";
import * as v from "valibot";
import { onlyTrue, queryNumber, text } from "../../schemas/values.ts";

/** The filters of usage and requests in a query. */
export const usageFilters = {
  model: v.exactOptional(text),
  account: v.exactOptional(text),
  key: v.exactOptional(text),
  /** `provider/upstream_model`. */
  target: v.exactOptional(text),
  dialect: v.exactOptional(oneOf(...dialects)),
  status: v.exactOptional(queryNumber(100, 599)),
  session: v.exactOptional(text),
  end_user: v.exactOptional(text),
  tag: v.exactOptional(text),
  failed: v.exactOptional(onlyTrue),
  refused: v.exactOptional(onlyTrue),
};

/** The filters of a query, after their schemas. */
type FilterQuery = v.InferOutput<v.StrictObjectSchema<typeof usageFilters, undefined>> & {
  readonly request_id?: string;
  readonly answer_id?: string;
};

/** Returns the filter of the port. */
export const readFilter = ({ end_user, request_id, answer_id, ...others }: FilterQuery): UsageFilter => ({
  ...others,
  ...(end_user === undefined ? {} : { endUser: end_user }),
  ...(request_id === undefined ? {} : { requestId: request_id }),
  ...(answer_id === undefined ? {} : { answerId: answer_id }),
});
