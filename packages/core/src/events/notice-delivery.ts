import * as v from "valibot";
import { describeError } from "../errors/describe-error.ts";
import { formatAmount, parseAmount } from "../options/decimal.ts";
import { arrayOf, decimal, filledText, port, wanted, wholeNumber } from "../options/leaves.ts";
import { optionMembers } from "../options/members.ts";
import type { Notice, NoticeOutbox } from "../ports/notice-outbox.ts";
import type { Observer } from "../ports/observer.ts";
import type { NoticeRules } from "../ports/spend-limit.ts";
import type { WebhookRunner } from "../ports/webhook-runner.ts";
import { aboutMs, type RepeatedWork } from "../runtime/background.ts";
import { withinTime } from "../runtime/timers.ts";

const pollMs = 5_000;
const maxConcurrent = 20;
const deliveryTimeoutMs = 10_000;
/** Longer than the deliveries of one claim and the store calls after them may take. */
const leaseMs = 60_000;

/**
 * Delivers the notices of an outbox: each once to the observer, and at least once to every endpoint. A notice whose process
 * dies is delivered by another one after its lease.
 */
export class NoticeDelivery implements RepeatedWork {
  readonly firstWithinMs = pollMs;
  readonly #options: NoticeOptions;
  readonly #observe: Observer;
  readonly #storeTimeoutMs: number;

  constructor(options: NoticeOptions, observe: Observer, storeTimeoutMs: number) {
    this.#options = options;
    this.#observe = observe;
    this.#storeTimeoutMs = storeTimeoutMs;
  }

  async run(): Promise<number> {
    let delivered = 0;
    try {
      const notices = await this.#ask(this.#options.outbox.claimNotices({ limit: maxConcurrent, leaseMs }));
      delivered = notices.length;
      await Promise.all(notices.map((notice) => this.#deliver(notice)));
    } catch (failure) {
      this.#observe({ type: "heartbeat.failed", at: Date.now(), part: "notices", cause: describeError(failure) });
    }
    return delivered === maxConcurrent ? 0 : aboutMs(pollMs);
  }

  async #deliver(notice: Notice): Promise<void> {
    const { outbox, runner, endpoints = [] } = this.#options;
    if (notice.attempts === 0) this.#observe({ type: "notice", at: Date.now(), notice });
    const open = endpoints.filter(({ name }) => !notice.delivered.includes(name));
    const accepted = await Promise.all(
      open.map(async (endpoint) =>
        runner !== undefined && (await send(runner, endpoint, notice)) ? endpoint.name : [],
      ),
    );
    const delivered = [...notice.delivered, ...accepted.flat()];
    const missing = endpoints.filter(({ name }) => !delivered.includes(name)).map(({ name }) => name);
    const isTooOld = Date.now() - notice.at.getTime() >= longestDeliveryMs;
    if (missing.length > 0 && !isTooOld) {
      await this.#ask(outbox.postponeNotice(notice.id, { delayMs: pauseAfter(notice.attempts), delivered }));
      return;
    }
    if (missing.length > 0) this.#observe({ type: "notice.undelivered", at: Date.now(), notice, endpoints: missing });
    await this.#ask(outbox.finishNotice(notice.id));
  }

  async #ask<T>(answer: T | PromiseLike<T>): Promise<T> {
    return withinTime(Promise.resolve(answer), this.#storeTimeoutMs);
  }
}

/** Resolves to true if the endpoint accepted the notice with a status of 200 to 299. */
async function send(runner: WebhookRunner, { url, secret }: NoticeEndpoint, notice: Notice): Promise<boolean> {
  const result = await runner.run({
    id: notice.id,
    method: "POST",
    url,
    headers: [],
    body: noticeBody(notice),
    timeoutMs: deliveryTimeoutMs,
    signingSecret: secret,
    signal: new AbortController().signal,
  });
  return result.kind === "answered" && result.status >= 200 && result.status < 300;
}

/** Returns the JSON that an endpoint receives, in the shape that Standard Webhooks recommends: type, timestamp, data. */
function noticeBody(notice: Notice): string {
  return JSON.stringify({ type: notice.type, timestamp: notice.at.toISOString(), data: dataOf(notice) });
}

const dataOf = (notice: Notice): object => ({ account: notice.account, ...membersOf(notice) });

function membersOf(notice: Notice): object {
  switch (notice.type) {
    case "spend.threshold":
      return thresholdOf(notice);
    case "balance.low":
      return { posted: formatAmount(notice.posted), below: formatAmount(notice.below) };
    case "balance.credited": {
      const { amount, kind, reason, expiresAt } = notice;
      return { amount: formatAmount(amount), kind, reason, expires_at: expiresAt?.toISOString() ?? null };
    }
    case "balance.expiring":
      return { amount: formatAmount(notice.amount), expires_at: notice.expiresAt.toISOString() };
    case "charge.refunded":
      return { amount: formatAmount(notice.amount), sequence: String(notice.sequence), reason: notice.reason };
    case "account.frozen":
      return { reason: notice.reason };
    case "account.thawed":
      return {};
  }
}

function thresholdOf(notice: Extract<Notice, { readonly type: "spend.threshold" }>): object {
  const { scope, keyId, threshold, limit, spent, resetsAt } = notice;
  return {
    scope,
    key_id: keyId ?? null,
    threshold,
    limit: formatAmount(limit.limit),
    window: limit.window,
    timezone: limit.timezone ?? "UTC",
    ...(limit.models === undefined ? {} : { models: limit.models }),
    spent: formatAmount(spent),
    resets_at: resetsAt?.toISOString() ?? null,
  };
}

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

/** The pauses after each failed delivery. Standard Webhooks recommends these up to three days. */
const pauses = [5 * second, 5 * minute, 30 * minute, 2 * hour, 5 * hour, 10 * hour, 14 * hour, 20 * hour, 20 * hour];

/** The age at which a notice is given up: three days. */
const longestDeliveryMs = 72 * hour;

/** Returns the pause before the next delivery, in milliseconds, with up to a tenth of jitter. */
function pauseAfter(attempts: number): number {
  const pause = pauses[Math.min(attempts, pauses.length - 1)] ?? 20 * hour;
  return pause * (1 + 0.1 * Math.random());
}

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
