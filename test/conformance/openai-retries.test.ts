import { ProviderError } from "@tollgate/core/provider";
import OpenAI from "openai";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { completionOf } from "../support/scripted-provider.ts";
import { openaiClient, say } from "./openai-client.ts";
import { type ServedGateway, serveGateway } from "./served-gateway.ts";

let served: ServedGateway;

beforeEach(async () => {
  served = await serveGateway();
});
afterEach(() => served.close());

const limited = (windowSeconds: number) => ({ limits: { requests: { limit: 1, windowSeconds } } });

describe("retries of the official OpenAI client", () => {
  it("waits for the Retry-After of a 429 and then succeeds", async () => {
    const client = await openaiClient(served, { apiKey: await served.key(limited(2)), maxRetries: 1 });
    await client.models.list();
    const started = performance.now();
    const completion = await served.paying(
      () => client.chat.completions.create({ model: "everyday", messages: say("Hello") }),
      ({ usage }) => [usage],
    );
    expect(completion.choices).toHaveLength(1);
    expect(performance.now() - started).toBeGreaterThan(900);
    expect(served.arrived()).toBe(3);
  });

  it("does not retry a 429 whose Retry-After exceeds what the client supports", async () => {
    const client = await openaiClient(served, { apiKey: await served.key(limited(3_600)), maxRetries: 2 });
    await client.models.list();
    const refused = client.chat.completions.create({ model: "everyday", messages: say("Hello") });
    const error = await served.unpaid(() => refused.catch((thrown: unknown) => thrown));
    expect(error).toBeInstanceOf(OpenAI.RateLimitError);
    expect(served.arrived()).toBe(2);
  });

  it("retries an overloaded provider and is charged once", async () => {
    let calls = 0;
    served.scripted.script = {
      complete: async () => {
        // The gateway itself makes three attempts before it returns 503.
        if (++calls <= 3) throw new ProviderError("overloaded", "Too many requests.");
        return completionOf("At last");
      },
    };
    const client = await openaiClient(served, { maxRetries: 1 });
    const completion = await served.paying(
      () => client.chat.completions.create({ model: "scripted", messages: say("Hello") }),
      ({ usage }) => [usage],
    );
    expect(completion.choices[0]?.message.content).toBe("At last");
    expect(served.arrived()).toBe(2);
  });
});
