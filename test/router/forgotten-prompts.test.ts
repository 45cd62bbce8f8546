import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { memoryBalanceStore } from "@tollgate/core";
import { type ClientRequest, isResponseStream, type ResponseStream } from "@tollgate/core/internal";
import {
  type ByteSink,
  type ChatCompletionChunk,
  type ChatCompletionDelta,
  ProviderError,
} from "@tollgate/core/provider";
import { describe, expect, it } from "vitest";
import { isChargedEnd } from "../support/end-events.ts";
import { type GatewayUnderTest, gatewayUnderTest } from "../support/gateway-under-test.ts";
import { eventsOf } from "../support/read-stream.ts";

setFlagsFromString("--expose-gc");
const collectGarbage: () => void = runInNewContext("gc");

/** The prices of the tested model in nano-units per token: 1 and 2 per million tokens. */
const inputNano = 1_000n;
const outputNano = 2_000n;

const chat = (content: string) => ({ model: "plain", stream: true, messages: [{ role: "user", content }] });
const delta = (members: ChatCompletionDelta): ChatCompletionChunk => ({ choices: [{ index: 0, delta: members }] });
/** 10 tokens by the estimate from bytes. */
const content = delta({ content: "x".repeat(40) });

/** Scripts a stream that fails after its first content when the returned function is called. */
function scriptInterrupted(tested: GatewayUnderTest): () => void {
  let interrupt: () => void = () => undefined;
  const broken = new Promise<never>((_, reject) => {
    interrupt = () => reject(new ProviderError("failed", "died"));
  });
  broken.catch(() => undefined);
  tested.provider.script = {
    asBytes: true,
    stream: async function* () {
      yield delta({ role: "assistant" });
      yield content;
      yield await broken;
    },
  };
  return interrupt;
}

/** Starts a stream and reads it up to its first content. */
async function begin(tested: GatewayUnderTest, body: object) {
  const events = eventsOf(await tested.chat(await tested.key(), body));
  for (;;) {
    const { value } = await events.next();
    if (value?.includes("xxxx")) return events;
  }
}

const completed = ({ events }: GatewayUnderTest) => events.find(isChargedEnd);
const charged = ({ balances }: GatewayUnderTest): bigint => 1_000_000_000n - balances.balance("acme").posted;

describe("a stream after its first content", () => {
  it("releases the bytes of its prompt and the parsed prompt", async () => {
    const tested = gatewayUnderTest();
    const references: WeakRef<object>[] = [];
    tested.provider.script = {
      asBytes: true,
      stream: (call) => {
        references.push(new WeakRef(call.request.messages));
        return endless(call.signal);
      },
    };
    const request = await requestOf(tested, (bytes) => references.push(new WeakRef(bytes)));
    const body = await startedStream(tested, request);
    await expect
      .poll(() => {
        collectGarbage();
        return references.map((each) => each.deref() === undefined);
      })
      .toEqual([true, true]);
    // The prompt is collected, but not the request.
    expect(tested.provider.calls[0]?.request).toMatchObject({ model: "upstream-model", stream: true, messages: [] });
    expect(tested.gateway.inFlight()).toBe(1);
    body.cancel();
  });

  it("keeps its prompt if the provider returns chunks, since it may still read it", async () => {
    const tested = gatewayUnderTest();
    tested.provider.script = { stream: (call) => endless(call.signal) };
    const body = await startedStream(tested, await requestOf(tested, () => undefined));
    expect(tested.provider.calls[0]?.request).toMatchObject({ messages: [{ role: "user", content: "Hello" }] });
    body.cancel();
  });

  it("had its prompt before, for retries of failed attempts", async () => {
    const tested = gatewayUnderTest();
    const sent: string[] = [];
    const chunks = [delta({ role: "assistant" }), content];
    tested.provider.script = {
      stream: async function* (call) {
        sent.push(JSON.stringify(call.request.messages), new TextDecoder().decode(call.encoded()));
        yield* chunks.slice(0, tested.provider.calls.length);
        throw new ProviderError("failed", "died");
      },
    };
    for await (const _event of await begin(tested, chat("Hello")));
    const [messages, body, ...again] = sent;
    expect(again).toEqual([messages, body]);
    expect(JSON.parse(body ?? "")).toMatchObject({ messages: JSON.parse(messages ?? "") });
    expect(messages).toContain("Hello");
  });
});

describe("an interrupted stream without usage", () => {
  const body = chat("é".repeat(1_000));
  /** The number of bytes divided by 4. */
  const promptTokens = Math.ceil(Buffer.byteLength(JSON.stringify(body)) / 4);
  const usage = { prompt_tokens: promptTokens, completion_tokens: 10, total_tokens: promptTokens + 10 };
  const cost = BigInt(promptTokens) * inputNano + 10n * outputNano;

  it("is charged for the bytes of its prompt and the delivered output if the provider interrupts it", async () => {
    const tested = gatewayUnderTest();
    const interrupt = scriptInterrupted(tested);
    const events = await begin(tested, body);
    interrupt();
    for await (const _event of events);
    expect(completed(tested)).toMatchObject({ ending: "upstream_failed", estimated: true, usage, cost });
    expect([charged(tested), tested.balances.balance("acme").held]).toEqual([cost, 0n]);
  });

  it("is charged the same if the client disconnects", async () => {
    const tested = gatewayUnderTest();
    scriptInterrupted(tested);
    await (await begin(tested, body)).return(undefined);
    await expect.poll(() => completed(tested)).toMatchObject({ ending: "client_gone", estimated: true, usage, cost });
    expect([charged(tested), tested.balances.balance("acme").held]).toEqual([cost, 0n]);
  });

  it("is charged the same if a drain ends it", async () => {
    const tested = gatewayUnderTest();
    scriptInterrupted(tested);
    await begin(tested, body);
    await tested.gateway.drain({ timeoutMs: 10 });
    expect(completed(tested)).toMatchObject({ ending: "drained", estimated: true, usage, cost });
    expect([charged(tested), tested.balances.balance("acme").held]).toEqual([cost, 0n]);
  });

  it("reports the same usage to the heartbeat, so that a crash is charged the same", async () => {
    const balances = memoryBalanceStore();
    const used: bigint[] = [];
    const { renew } = balances;
    balances.renew = (renewals, leaseMs) => {
      used.push(...renewals.map((each) => each.used));
      return renew.call(balances, renewals, leaseMs);
    };
    balances.credit({ id: "opening", account: "acme", amount: 1_000_000_000n, reason: "test" });
    const tested = gatewayUnderTest({ balances, money: { leaseMs: 1_000, heartbeatMs: 20 } });
    scriptInterrupted(tested);
    await begin(tested, body);
    await expect.poll(() => used.at(-1)).toBe(cost);
    await tested.gateway.drain({ timeoutMs: 10 });
  });

  it("is charged by the text of the prompt if the host counts tokens", async () => {
    const counted: string[] = [];
    const countTokens = (text: string) => {
      counted.push(text);
      return text.length;
    };
    const tested = gatewayUnderTest({ money: { countTokens } });
    const interrupt = scriptInterrupted(tested);
    const events = await begin(tested, chat("to be counted"));
    expect(counted).toEqual([]);
    interrupt();
    for await (const _event of events);
    expect(counted.toSorted()).toEqual(["to be counted", "x".repeat(40)]);
    expect(completed(tested)).toMatchObject({ usage: { prompt_tokens: 13, completion_tokens: 40 } });
    expect(charged(tested)).toBe(13n * inputNano + 40n * outputNano);
  });
});

it("a hundred streams hold neither the memory nor the budget of their prompts of 1 MiB", async () => {
  const mebibyte = 1_048_576;
  // One key may hold a quarter, so that a second prompt would have to wait if the first were still counted.
  const budget = { maxBodyBytes: 1.5 * mebibyte, maxBufferedRequestBytes: 6 * mebibyte, bodies: { waitMs: 1 } };
  const tested = gatewayUnderTest({ ...budget });
  tested.balances.credit({ id: "hundred", account: "acme", amount: 1_000_000_000_000n, reason: "test" });
  tested.provider.script = { asBytes: true, stream: (call) => endless(call.signal) };
  const authorization = `Bearer ${await tested.key()}`;
  const before = bytesInBuffers();
  const bodies: ResponseStream[] = [];
  for (let stream = 0; stream < 100; stream++) {
    const prompt = new TextEncoder().encode(JSON.stringify({ ...chat("x".repeat(mebibyte)), model: "thinker" }));
    bodies.push(await startedStream(tested, requestWith(authorization, prompt)));
  }
  expect(tested.gateway.inFlight()).toBe(100);
  await expect.poll(() => bytesInBuffers() - before).toBeLessThan(10 * mebibyte);
  for (const body of bodies) body.cancel();
});

function bytesInBuffers(): number {
  collectGarbage();
  return process.memoryUsage().arrayBuffers;
}

async function* endless(signal: AbortSignal): AsyncGenerator<ChatCompletionChunk> {
  yield content;
  await new Promise((resolve) => signal.addEventListener("abort", resolve));
}

/** Returns the body of a stream after its first content. */
async function startedStream(tested: GatewayUnderTest, request: ClientRequest): Promise<ResponseStream> {
  const { body } = await tested.gateway.handle(request);
  if (!isResponseStream(body)) throw new Error(`The answer is not a stream: ${body}`);
  const sink = new CollectingSink();
  body.pipeTo(sink);
  expect(sink.text).toContain("xxxx");
  return body;
}

/** A request whose bytes are referenced only by the gateway. */
async function requestOf(tested: GatewayUnderTest, onBody: (bytes: Uint8Array) => void): Promise<ClientRequest> {
  const bytes = new TextEncoder().encode(JSON.stringify(chat("Hello")));
  onBody(bytes);
  return requestWith(`Bearer ${await tested.key()}`, bytes);
}

function requestWith(authorization: string, bytes: Uint8Array): ClientRequest {
  let unread: Uint8Array | undefined = bytes;
  return {
    method: "POST",
    url: "/chat/completions",
    path: "/chat/completions",
    clientAddress: undefined,
    parsedBody: undefined,
    signal: new AbortController().signal,
    waitUntil: undefined,
    header: (name) => (name === "authorization" ? authorization : undefined),
    readBody(_maxBytes, receiver) {
      const body = unread;
      unread = undefined;
      receiver.resolve(body);
    },
  };
}

class CollectingSink implements ByteSink {
  text = "";

  write(chunk: Uint8Array): void {
    this.text += new TextDecoder().decode(chunk);
  }

  close(): void {}

  fail(): void {}
}
