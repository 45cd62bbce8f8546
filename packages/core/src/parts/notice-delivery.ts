import { NoticeDelivery } from "../notices/notice-delivery.ts";
import { type NoticeOptions, noticeRules, noticesSchema } from "../notices/notice-options.ts";
import { requireOptions } from "../options/problems.ts";
import type { NoticesPart } from "../request/gateway-parts.ts";

/** Makes the part that writes and delivers notices, from checked options. */
export const noticesPart = (options: NoticeOptions): NoticesPart => ({
  option: "notices",
  create: ({ observe, storeTimeoutMs }) => ({
    rules: noticeRules(options),
    delivery: new NoticeDelivery(options, observe, storeTimeoutMs),
  }),
});

/**
 * Makes the option `notices` of a gateway of `@tollgate/core/chat`, which tells the host about used spend limits and low
 * balances. Throws a TypeError that lists all problems of the options.
 *
 * @example
 * createGateway({ notices: noticeDelivery({ outbox: balances, lowBalance: "5" }), balances, ...options });
 */
export function noticeDelivery(options: NoticeOptions): NoticesPart {
  return noticesPart(requireOptions("noticeDelivery", noticesSchema, options));
}
