import { type ChatCompletionChunk, type ProviderCall, ProviderError } from "@tollgate/core/provider";
import OpenAI, { APIError } from "openai";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { isChargedEnd } from "../support/end-events.ts";
import { completionOf } from "../support/scripted-provider.ts";
import { openaiClient, say } from "./openai-client.ts";
import { type ServedGateway, serveGateway } from "./served-gateway.ts";

let served: ServedGateway;
let client: OpenAI;

beforeEach(async () => {
  served = await serveGateway();
  client = await openaiClient(served);
});
afterEach(() => served.close());

const request = { model: "scripted", messages: say("Hello"), stream: true } as const;

describe("an interrupted answer, with the official OpenAI client", () => {
  it.each([
    ["aborts its controller", "abort"],
    ["leaves the loop", "leave"],
  ] as const)("reaches the provider when the client %s", async (_how, end) => {
    served.scripted.script = { stream: wordsThenSilence };
    const stream = await client.chat.completions.create(request);
    const received: string[] = [];
    for await (const chunk of stream) {
      received.push(chunk.choices[0]?.delta.content ?? "");
      if (received.join("") !== "one two ") continue;
      if (end === "leave") break;
      stream.controller.abort();
    }
    expect(received.join("")).toBe("one two ");
    await expect.poll(() => served.scripted.calls[0]?.signal.aborted).toBe(true);
    await expectCharged("client_gone");
  });

  it("is charged by its usage if the client aborts a request without streaming", async () => {
    const controller = new AbortController();
    served.scripted.script = {
      complete: async () => {
        controller.abort();
        await new Promise((resolve) => setTimeout(resolve, 100));
        return completionOf("Too late");
      },
    };
    const call = client.chat.completions.create({ ...request, stream: false }, { signal: controller.signal });
    await expect(call).rejects.toBeInstanceOf(OpenAI.APIUserAbortError);
    await expectCharged("client_gone");
  });

  it("throws an APIError with code and type after the received content", async () => {
    served.scripted.script = {
      stream: async function* () {
        yield* words();
        throw new ProviderError("failed", "The provider at secret-host broke off.");
      },
    };
    const received: string[] = [];
    const read = async () => {
      for await (const chunk of await client.chat.completions.create(request)) {
        received.push(chunk.choices[0]?.delta.content ?? "");
      }
    };
    const error = await read().catch((thrown: unknown) => thrown);
    expect(received.join("")).toBe("one two ");
    expect(error).toBeInstanceOf(APIError);
    expect(error).toMatchObject({ code: "upstream_failed", type: "upstream_error" });
    expect(String(error)).not.toContain("secret-host");
    await expectCharged("upstream_failed");
  });

  it("rejects the helper's final completion as well", async () => {
    served.scripted.script = {
      stream: async function* () {
        yield* words();
        throw new ProviderError("timeout", "No data arrived for a minute.");
      },
    };
    const completion = client.chat.completions.stream({ model: "scripted", messages: say("Hello") });
    await expect(completion.finalChatCompletion()).rejects.toMatchObject({ code: "upstream_timeout" });
  });

  it("throws the error for the status if the provider fails before its first content, and is not charged", async () => {
    served.scripted.script = {
      stream: async function* () {
        yield* words(0);
        throw new ProviderError("unreachable", "Connection refused.");
      },
    };
    const error = await served.unpaid(() => client.chat.completions.create(request).catch((thrown: unknown) => thrown));
    expect(error).toBeInstanceOf(OpenAI.InternalServerError);
    expect(error).toMatchObject({ status: 503, code: "upstream_unavailable" });
  });
});

/** Expects that the account was charged the cost in the end event. */
async function expectCharged(ending: string): Promise<void> {
  const completed = await vi.waitFor(
    () => {
      const event = served.under.events.find(isChargedEnd);
      if (event === undefined) throw new Error("The request has not completed yet.");
      return event;
    },
    { timeout: 10_000 },
  );
  expect(completed.ending).toBe(ending);
  expect(completed.usage.prompt_tokens).toBeGreaterThan(0);
  expect(completed.usage.completion_tokens).toBeGreaterThan(0);
  const balance = await served.under.balances.balance("acme");
  expect(balance.held).toBe(0n);
  expect(1_000_000_000n - balance.posted).toBe(completed.cost);
  expect(completed.cost).toBe(served.costOf(completed.usage));
}

async function* words(count = 2): AsyncGenerator<ChatCompletionChunk> {
  for (const content of ["one ", "two "].slice(0, count)) yield { choices: [{ index: 0, delta: { content } }] };
}

async function* wordsThenSilence({ signal }: ProviderCall): AsyncGenerator<ChatCompletionChunk> {
  yield* words();
  await untilAborted(signal);
}

function untilAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
}
