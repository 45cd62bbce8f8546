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

const wanted = { model: "scripted", messages: say("Hello"), stream: true } as const;

describe("an answer that does not end well, with the official OpenAI client", () => {
  it.each([
    ["aborts its controller", "abort"],
    ["leaves the loop", "leave"],
  ] as const)("reaches the provider when the client %s", async (_how, end) => {
    served.scripted.script = { stream: wordsThenSilence };
    const stream = await client.chat.completions.create(wanted);
    const heard: string[] = [];
    for await (const chunk of stream) {
      heard.push(chunk.choices[0]?.delta.content ?? "");
      if (heard.join("") !== "one two ") continue;
      if (end === "leave") break;
      stream.controller.abort();
    }
    expect(heard.join("")).toBe("one two ");
    await vi.waitFor(() => expect(served.scripted.calls[0]?.signal.aborted).toBe(true));
    await paidForWhatWasGiven("client_gone");
  });

  it("is paid for by its usage when the client aborts an answer in one piece", async () => {
    const controller = new AbortController();
    served.scripted.script = {
      complete: async () => {
        controller.abort();
        await new Promise((resolve) => setTimeout(resolve, 100));
        return completionOf("Too late");
      },
    };
    const call = client.chat.completions.create({ ...wanted, stream: false }, { signal: controller.signal });
    await expect(call).rejects.toBeInstanceOf(OpenAI.APIUserAbortError);
    await paidForWhatWasGiven("client_gone");
  });

  it("throws an APIError with code and type after the words that came", async () => {
    served.scripted.script = {
      stream: async function* () {
        yield* words();
        throw new ProviderError("failed", "The provider at secret-host broke off.");
      },
    };
    const heard: string[] = [];
    const read = async () => {
      for await (const chunk of await client.chat.completions.create(wanted)) {
        heard.push(chunk.choices[0]?.delta.content ?? "");
      }
    };
    const error = await read().catch((thrown: unknown) => thrown);
    expect(heard.join("")).toBe("one two ");
    expect(error).toBeInstanceOf(APIError);
    expect(error).toMatchObject({ code: "upstream_failed", type: "upstream_error" });
    expect(String(error)).not.toContain("secret-host");
    await paidForWhatWasGiven("upstream_failed");
  });

  it("rejects the helper's final completion as well", async () => {
    served.scripted.script = {
      stream: async function* () {
        yield* words();
        throw new ProviderError("timeout", "Nothing came for a minute.");
      },
    };
    const completion = client.chat.completions.stream({ model: "scripted", messages: say("Hello") });
    await expect(completion.finalChatCompletion()).rejects.toMatchObject({ code: "upstream_timeout" });
  });

  it("throws the error of the status when the provider fails before its first word, and costs nothing", async () => {
    served.scripted.script = {
      stream: async function* () {
        yield* words(0);
        throw new ProviderError("unreachable", "Connection refused.");
      },
    };
    const error = await served.unpaid(() => client.chat.completions.create(wanted).catch((thrown: unknown) => thrown));
    expect(error).toBeInstanceOf(OpenAI.InternalServerError);
    expect(error).toMatchObject({ status: 503, code: "upstream_unavailable" });
  });
});

/** Expects that the account has paid what the gateway said it would for what the provider gave. */
async function paidForWhatWasGiven(ending: string): Promise<void> {
  const completed = await vi.waitFor(() => {
    const event = served.under.events.find(isChargedEnd);
    if (event === undefined) throw new Error("The request has not completed yet.");
    return event;
  });
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
