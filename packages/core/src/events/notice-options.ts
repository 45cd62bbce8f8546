import * as v from "valibot";
import { parseAmount } from "../options/decimal.ts";
import { arrayOf, decimal, filledText, port, wanted, wholeNumber } from "../options/leaves.ts";
import { optionMembers } from "../options/members.ts";
import type { NoticeOutbox } from "../ports/notice-outbox.ts";
import type { NoticeRules } from "../ports/spend-limit.ts";
import type { WebhookRunner } from "../ports/webhook-runner.ts";

/** A URL of the host that receives notices. */
export interface NoticeEndpoint {
  /** Identifies the endpoint when its URL changes. It is stored with notices that it has accepted. */
  readonly name: string;
  readonly url: string;
  /** Signs the body by the Standard Webhooks scheme (https://www.standardwebhooks.com): `whsec_` and base64. */
  readonly secret: string;
}

/** Notices about used spend limits and low balances, for the observer and for endpoints of the host. */
export interface NoticeOptions {
  /** The balance store, which writes the notices together with the holds and charges that cause them. */
  readonly outbox: NoticeOutbox;
  /** Percentages of a spend limit, from 1 to 100. Default: 50, 80 and 100. */
  readonly thresholds?: readonly number[];
  /** The posted balance below which a notice is written, as a decimal string. Absent: none. */
  readonly lowBalance?: string;
  /** Sends notices to `endpoints`. On Node, pass `webhookRunner()` of `@tollgate/node`. */
  readonly runner?: WebhookRunner;
  /** Each gets every notice at least once, always with the same `webhook-id`. Absent: the observer alone. */
  readonly endpoints?: readonly NoticeEndpoint[];
}

const defaultThresholds = [50, 80, 100];

/** Returns the rules by which charges write notices. */
export function noticeRules({ thresholds = defaultThresholds, lowBalance }: NoticeOptions): NoticeRules {
  return {
    thresholds: [...thresholds].sort((a, b) => a - b),
    ...(lowBalance === undefined ? {} : { lowBalance: parseAmount(lowBalance) }),
  };
}

const signingKey = /^whsec_[A-Za-z0-9+/]+={0,2}$/;

const secret = v.custom<string>(
  (value) => typeof value === "string" && signingKey.test(value),
  'must be a signing secret: "whsec_" followed by base64. Generate one, such as with the library standardwebhooks',
);

const url = v.custom<string>(
  (value) => typeof value === "string" && URL.canParse(value) && /^https?:/.test(value),
  wanted('must be an absolute URL, such as "https://example.com/hooks"'),
);

const endpoint = optionMembers("an endpoint of notices", { name: filledText, url, secret });

const endpoints = v.pipe(
  arrayOf("endpoints", endpoint),
  v.check(
    (list) => new Set(list.map(({ name }) => name)).size === list.length,
    "has two endpoints with the same `name`. Give each its own",
  ),
);

/** The schema of {@link NoticeOptions}. */
export const noticesSchema = v.pipe(
  optionMembers("the option `notices`", {
    outbox: port<NoticeOutbox>(
      "a NoticeOutbox",
      ["claimNotices", "postponeNotice", "finishNotice", "waitingNotices"],
      "the balance store of memoryBalanceStore(), sqliteStores() or postgresStores()",
    ),
    thresholds: v.exactOptional(arrayOf("percentages", wholeNumber(1, 100))),
    lowBalance: v.exactOptional(decimal),
    runner: v.exactOptional(
      port<WebhookRunner>("a WebhookRunner", ["run", "checkTarget"], "webhookRunner() of @tollgate/node"),
    ),
    endpoints: v.exactOptional(endpoints),
  }),
  v.partialCheck(
    [["endpoints"], ["runner"]],
    ({ endpoints = [], runner }) => endpoints.length === 0 || runner !== undefined,
    "has `endpoints` and no `runner`. Pass webhookRunner() of @tollgate/node",
  ),
);
