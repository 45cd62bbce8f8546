import { inspect } from "node:util";
import { expect, vi } from "vitest";
import { isChargedEnd } from "../support/end-events.ts";
import type { ClientAnswer, ClientResult } from "./ask.ts";
import { chatView } from "./chat-view.ts";
import { checkAnswer } from "./check-answer.ts";
import type { Expectation } from "./expectation.ts";
import type { FaultyUpstream } from "./faulty-upstream.ts";
import { type Cell, publicModel, type Scene } from "./scene.ts";
import { canary } from "./script.ts";

const opening = 1_000_000_000n;
/** The gateway waits 5 s for an upstream to end a complete answer. It closes every other connection immediately. */
const mayEndInMs = 9_000;
const endsInMs = 3_000;

/** Checks the result of one cell at the client, the upstreams, the ledger and the observer. */
export async function checkCell(cell: Cell, scene: Scene, result: ClientResult, expected: Expectation): Promise<void> {
  const tokens = expected.charge?.tokens ?? estimate(cell, expected);
  checkAnswer(result, expected, tokens, cell.form);
  await vi.waitFor(() => expect(scene.under.gateway.inFlight()).toBe(0), { timeout: 10_000 });
  checkReceived(scene, cell, expected);
  await checkLedger(scene, expected, tokens);
  checkEvents(scene, expected);
  if (result.by === "fetch") checkSecrecy(result.answer, scene);
  const timeout = expected.attempts === 1 && expected.seen.kind === "answers" ? mayEndInMs : endsInMs;
  await vi.waitFor(() => expect([scene.first.busy(), scene.second.busy()]).toEqual([0, 0]), { timeout });
}

/** The documented estimate: a quarter of the bytes of the request and of the received text. */
function estimate({ form }: Cell, { seen }: Expectation) {
  const text = seen.kind === "fails" ? "" : seen.pieces.join("");
  return {
    prompt: Math.ceil(Buffer.byteLength(chatView.requestBody(form)) / 4),
    completion: Math.min(1_000, Math.ceil(Buffer.byteLength(text) / 4)),
  };
}

function checkReceived({ first, second, secret }: Scene, cell: Cell, { received, apartMs }: Expectation): void {
  expect([first.requests.length, second.requests.length]).toEqual(received);
  checkRequests(first, canary.key, cell, secret);
  checkRequests(second, canary.secondKey, cell, secret);
  const at = first.requests.map((each) => each.at);
  for (const [index, time] of at.slice(1).entries()) {
    expect(time - (at[index] ?? 0)).toBeGreaterThanOrEqual(apartMs);
  }
}

function checkRequests({ requests }: FaultyUpstream, key: string, { form }: Cell, secret: string): void {
  for (const { head, body } of requests) {
    expect(head).toContain("POST /v1/chat/completions HTTP/1.1\r\n");
    expect(head).toContain(`authorization: Bearer ${key}\r\n`);
    expect(head).toContain("accept-encoding: identity\r\n");
    expect(`${head}${body}`).not.toContain(secret);
    chatView.checkRequest(JSON.parse(body.toString()), form);
  }
}

async function checkLedger({ under }: Scene, { charge }: Expectation, tokens: { prompt: number; completion: number }) {
  const cost = charge && BigInt(tokens.prompt) * charge.price.input + BigInt(tokens.completion) * charge.price.output;
  const { entries } = await under.balances.entries({ account: "acme", limit: 10 });
  expect(entries.map(({ amount }) => amount)).toEqual([opening, ...(cost === undefined ? [] : [-cost])]);
  const posted = opening - (cost ?? 0n);
  expect(await under.balances.balance("acme")).toMatchObject({ posted, held: 0n, available: posted });
  expect(await under.balances.verify()).toEqual([]);
}

function checkEvents({ under: { events } }: Scene, expected: Expectation): void {
  const failures = events.flatMap((event) => (event.type === "attempt.failed" ? [event.provider] : []));
  expect(failures).toHaveLength(expected.failures);
  expect(events.some(({ type }) => type === "target.opened")).toBe(expected.opens);
  const completed = events.filter(isChargedEnd);
  expect(completed).toMatchObject([{ attempts: expected.attempts, model: publicModel }]);
  expect(completed[0]?.provider).toBe(expected.received[1] > 0 ? "provider-two" : "provider-one");
  for (const { detail = "" } of events.filter((event) => event.type === "attempt.failed")) {
    for (const secret of [canary.key, canary.secondKey, canary.host, "127.0.0.1", ".invalid"]) {
      expect(detail).not.toContain(secret);
    }
  }
  for (const event of events) expect(inspect(event, { depth: 20 })).not.toMatch(keys);
}

const keys = new RegExp(`${canary.key}|${canary.secondKey}|Bearer`);

function checkSecrecy(answer: ClientAnswer, { first, second }: Scene): void {
  const all = `${JSON.stringify([...answer.headers])}\n${answer.body}`;
  const secrets = [canary.key, canary.secondKey, canary.host, canary.model, "gpu-7", "127.0.0.1", "provider-"];
  for (const secret of [...secrets, `:${first.port}`, `:${second.port}`]) expect(all).not.toContain(secret);
}
