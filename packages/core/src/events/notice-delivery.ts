import { describeError } from "../errors/describe-error.ts";
import { formatAmount } from "../options/decimal.ts";
import type { Notice } from "../ports/notice-outbox.ts";
import type { Observer } from "../ports/observer.ts";
import type { WebhookRunner } from "../ports/webhook-runner.ts";
import { after, withinTime } from "../runtime/timers.ts";
import type { NoticeEndpoint, NoticeOptions } from "./notice-options.ts";

const pollMs = 5_000;
const maxConcurrent = 20;
const deliveryTimeoutMs = 10_000;
/** Longer than the deliveries of one claim and the store calls after them may take. */
const leaseMs = 60_000;

/**
 * Delivers the notices of an outbox: each once to the observer, and at least once to every endpoint. It polls from the
 * first request to the end of a drain. A notice whose process dies is delivered by another one after its lease.
 */
export class NoticeDelivery {
  readonly #options: NoticeOptions;
  readonly #observe: Observer;
  readonly #storeTimeoutMs: number;
  #state: "new" | "polling" | "stopped" = "new";
  #cancelTimer: () => void = () => undefined;

  constructor(options: NoticeOptions, observe: Observer, storeTimeoutMs: number) {
    this.#options = options;
    this.#observe = observe;
    this.#storeTimeoutMs = storeTimeoutMs;
  }

  /** Starts to poll. Idempotent. */
  start(): void {
    if (this.#state !== "new") return;
    this.#state = "polling";
    this.#schedule(pollMs * Math.random());
  }

  /** Stops for good. Deliveries that are running finish in the background. */
  stop(): void {
    this.#state = "stopped";
    this.#cancelTimer();
  }

  #schedule(milliseconds: number): void {
    if (this.#state === "polling") this.#cancelTimer = after(milliseconds, () => void this.#poll());
  }

  async #poll(): Promise<void> {
    let delivered = 0;
    try {
      const notices = await this.#ask(this.#options.outbox.claimNotices({ limit: maxConcurrent, leaseMs }));
      delivered = notices.length;
      await Promise.all(notices.map((notice) => this.#deliver(notice)));
    } catch (failure) {
      this.#observe({ type: "heartbeat.failed", at: Date.now(), part: "notices", cause: describeError(failure) });
    }
    this.#schedule(delivered === maxConcurrent ? 0 : pollMs * (0.9 + 0.2 * Math.random()));
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

function dataOf(notice: Notice): object {
  const { account } = notice;
  if (notice.type === "balance.low") {
    return { account, posted: formatAmount(notice.posted), below: formatAmount(notice.below) };
  }
  const { scope, keyId, threshold, limit, spent, resetsAt } = notice;
  return {
    account,
    scope,
    key_id: keyId ?? null,
    threshold,
    limit: formatAmount(limit.limit),
    window: limit.window,
    timezone: limit.timezone ?? "UTC",
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
