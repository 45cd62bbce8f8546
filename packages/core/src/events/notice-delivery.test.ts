import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { Notice, NoticeOutbox } from "../ports/notice-outbox.ts";
import type { GatewayEvent } from "../ports/observer.ts";
import type { WebhookRequest, WebhookResult, WebhookRunner } from "../ports/webhook-runner.ts";
import { Background } from "../runtime/background.ts";
import { NoticeDelivery } from "./notice-delivery.ts";

const hour = 3_600_000;
const start = new Date("2027-01-01T00:00:00Z");

beforeEach(() => void vi.useFakeTimers({ now: start }));
afterEach(() => void vi.useRealTimers());

const common = {
  id: "5f0c7f5e-54a5-4d5c-8a6b-2f0f6a3f8b11",
  account: "acme",
  at: start,
  attempts: 0,
  delivered: [],
};
const threshold: Notice = {
  ...common,
  type: "spend.threshold",
  scope: "account",
  threshold: 80,
  limit: { limit: 10_000_000_000n, window: "day", timezone: "Europe/Berlin" },
  spent: 8_000_000_000n,
  resetsAt: new Date("2027-01-01T23:00:00Z"),
};

/** An outbox with one notice, which is due at once. */
function outboxOfOne(first: Notice): NoticeOutbox & { readonly isEmpty: boolean } {
  let notice: Notice | undefined = first;
  let dueAt = start.getTime();
  return {
    get isEmpty() {
      return notice === undefined;
    },
    claimNotices({ leaseMs }) {
      if (notice === undefined || Date.now() < dueAt) return [];
      const claimed = notice;
      notice = { ...notice, attempts: notice.attempts + 1 };
      dueAt = Date.now() + leaseMs;
      return [claimed];
    },
    postponeNotice(_, { delayMs, delivered }) {
      if (notice !== undefined) notice = { ...notice, delivered };
      dueAt = Date.now() + delayMs;
    },
    finishNotice() {
      notice = undefined;
    },
    waitingNotices: () => ({ count: notice === undefined ? 0 : 1 }),
  };
}

const secret = "whsec_MfKQ9r8GKYqrTwjU";
const endpoint = (name: string) => ({ name, url: `https://${name}.test/hooks`, secret });

function delivery(answer: (request: WebhookRequest) => number, names: readonly string[], notice = threshold) {
  const sent: WebhookRequest[] = [];
  const events: GatewayEvent[] = [];
  const runner: WebhookRunner = {
    run: async (request): Promise<WebhookResult> => {
      sent.push(request);
      return {
        kind: "answered",
        status: answer(request),
        contentType: undefined,
        body: new Uint8Array(),
        attempts: [],
      };
    },
    checkTarget: async () => ({ allowed: true }),
  };
  const outbox = outboxOfOne(notice);
  const options = { outbox, runner, endpoints: names.map(endpoint) };
  const worker = new Background([new NoticeDelivery(options, (event) => void events.push(event), 1_000)]);
  worker.start();
  return { sent, events, outbox, worker };
}

it("signs a notice and sends it to every endpoint, and reports it to the observer", async () => {
  const { sent, events, outbox } = delivery(() => 204, ["one", "two"]);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(sent.map(({ url, signingSecret }) => [url, signingSecret])).toEqual([
    ["https://one.test/hooks", secret],
    ["https://two.test/hooks", secret],
  ]);
  expect(JSON.parse(sent[0]?.body ?? "")).toEqual({
    type: "spend.threshold",
    timestamp: "2027-01-01T00:00:00.000Z",
    data: {
      account: "acme",
      scope: "account",
      key_id: null,
      threshold: 80,
      limit: "10",
      window: "day",
      timezone: "Europe/Berlin",
      spent: "8",
      resets_at: "2027-01-01T23:00:00.000Z",
    },
  });
  expect(events.map(({ type }) => type)).toEqual(["notice"]);
  expect(outbox.isEmpty).toBe(true);
});

it("repeats a notice with the same id to an endpoint that is down for an hour, and not to others", async () => {
  const isDown = () => Date.now() < start.getTime() + hour;
  const { sent, events, outbox } = delivery(
    ({ url }) => (url.includes("down") && isDown() ? 503 : 200),
    ["up", "down"],
  );
  await vi.advanceTimersByTimeAsync(hour);
  expect(outbox.isEmpty).toBe(false);
  await vi.advanceTimersByTimeAsync(3 * hour);
  expect(outbox.isEmpty).toBe(true);
  expect(sent.filter(({ url }) => url.includes("up"))).toHaveLength(1);
  expect(sent.filter(({ url }) => url.includes("down")).length).toBeGreaterThan(2);
  expect(new Set(sent.map(({ id }) => id)).size).toBe(1);
  expect(events.map(({ type }) => type)).toEqual(["notice"]);
});

it("gives a notice up after three days, and reports which endpoints have not accepted it", async () => {
  const { events, outbox } = delivery(() => 410, ["gone"]);
  await vi.advanceTimersByTimeAsync(71 * hour);
  expect(outbox.isEmpty).toBe(false);
  await vi.advanceTimersByTimeAsync(30 * hour);
  expect(outbox.isEmpty).toBe(true);
  expect(events.at(-1)).toMatchObject({ type: "notice.undelivered", endpoints: ["gone"] });
});

it("delivers nothing after it has stopped", async () => {
  const { sent, worker } = delivery(() => 200, ["one"]);
  worker.stop();
  await vi.advanceTimersByTimeAsync(hour);
  expect(sent).toEqual([]);
});

it("reports an outbox that fails, and tries again", async () => {
  const events: GatewayEvent[] = [];
  const outbox = outboxOfOne(threshold);
  let fails = true;
  const claimNotices: NoticeOutbox["claimNotices"] = (query) => {
    if (fails) throw new Error("the database is down");
    return outbox.claimNotices(query);
  };
  const failing = { outbox: { ...outbox, claimNotices } };
  new Background([new NoticeDelivery(failing, (event) => void events.push(event), 1_000)]).start();
  await vi.advanceTimersByTimeAsync(6_000);
  expect(events[0]).toMatchObject({ type: "heartbeat.failed", part: "notices" });
  fails = false;
  await vi.advanceTimersByTimeAsync(6_000);
  expect(events.at(-1)).toMatchObject({ type: "notice", notice: { account: "acme" } });
});

const expiresAt = new Date("2027-01-08T00:00:00Z");
const granted = { amount: 5_000_000_000n, kind: "granted", reason: "trial" } as const;
const otherNotices: readonly (readonly [Notice, object])[] = [
  [
    { ...common, type: "balance.low", posted: 1n, below: 2n },
    { posted: "0.000000001", below: "0.000000002" },
  ],
  [
    { ...common, type: "balance.credited", ...granted, expiresAt },
    { ...granted, amount: "5", expires_at: "2027-01-08T00:00:00.000Z" },
  ],
  [
    { ...common, type: "balance.credited", ...granted },
    { ...granted, amount: "5", expires_at: null },
  ],
  [
    { ...common, type: "balance.expiring", amount: 5n, expiresAt },
    { amount: "0.000000005", expires_at: "2027-01-08T00:00:00.000Z" },
  ],
  [
    { ...common, type: "charge.refunded", amount: 5n, sequence: 7n, reason: "poor answer" },
    { amount: "0.000000005", sequence: "7", reason: "poor answer" },
  ],
  [{ ...common, type: "account.frozen", reason: "dispute 17" }, { reason: "dispute 17" }],
  [{ ...common, type: "account.thawed" }, {}],
];

it.each(otherNotices)("sends the members of a notice with decimal amounts: %o", async (notice, members) => {
  const { sent } = delivery(() => 204, ["one"], notice);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(JSON.parse(String(sent[0]?.body))).toEqual({
    type: notice.type,
    timestamp: start.toISOString(),
    data: { account: "acme", ...members },
  });
});
