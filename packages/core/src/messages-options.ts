import * as v from "valibot";
import { type RemovedBeta, removedBetas, withoutDate } from "./dialects/messages/request/betas.ts";
import { arrayOf, wanted } from "./options/leaves.ts";
import { optionMembers } from "./options/members.ts";
import { nearest } from "./options/nearest.ts";

/** How the Messages API is served. */
export interface MessagesOptions {
  /**
   * Betas, without their dates, that go to providers of the Messages API in `anthropic-beta` although they change the price
   * or the place of a request. Members that only they need, such as `compaction`, are then sent too; members that are
   * refused with 400, such as `speed`, also need their name in `pricedFields` of the provider. Requests are still held and
   * charged by the price of their model and the usage that the provider reports, so that price must cover what the beta
   * costs beyond. The tokens of a compaction, for example, are not charged.
   * Absent: none.
   */
  readonly allowedBetas?: readonly RemovedBeta[];
}

const removedBeta = v.picklist(removedBetas, (issue) => {
  const { input } = issue;
  const suggestion = typeof input === "string" ? nearest(withoutDate(input), removedBetas) : undefined;
  const message = wanted("must be a beta that is removed by default, without its date")(issue);
  return suggestion === undefined
    ? `${message}. Remove it, since all others are sent on; the betas are ${removedBetas.join(", ")}`
    : `${message}. Did you mean ${suggestion}?`;
});

/** The schema of {@link MessagesOptions}. */
export const messagesSchema = optionMembers("the option `messages`", {
  allowedBetas: v.exactOptional(arrayOf("betas", removedBeta)),
});
