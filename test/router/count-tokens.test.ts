import { readFileSync } from "node:fs";
import type { GatewayOptions } from "@tollgate/core";
import type { NativeCall } from "@tollgate/core/provider";
import { describe, expect, it } from "vitest";
import { type GatewayUnderTest, gatewayUnderTest } from "../support/gateway-under-test.ts";
import { scriptedProvider } from "../support/scripted-provider.ts";

/** Requests, and the tokens that a tokenizer counts in them. */
const { prompts }: { prompts: readonly { name: string; tokens: readonly number[]; request: object }[] } = JSON.parse(
  readFileSync(new URL("../conformance/dialects/counted-prompts.json", import.meta.url), "utf8"),
);

const count = async ({ gateway }: GatewayUnderTest, secret: string, body: object = {}) => {
  const greeting = { model: "plain", messages: [{ role: "user", content: "Hello" }] };
  const response = await gateway.fetch(
    new Request("http://gateway.test/router/v1/messages/count_tokens", {
      method: "POST",
      headers: { "x-api-key": secret, "content-type": "application/json" },
      body: JSON.stringify({ ...greeting, ...body }),
    }),
  );
  return { status: response.status, json: await response.json() };
};

/** A gateway whose target counts tokens when it is told to, and the counts that it was asked for. */
function countingGateway(options: Partial<GatewayOptions> = {}) {
  const asked: ((tokens: number) => void)[] = [];
  const countTokens = (_call: NativeCall) =>
    new Promise<{ kind: "json"; body: Uint8Array }>((resolve) => {
      asked.push((tokens) =>
        resolve({ kind: "json", body: new TextEncoder().encode(JSON.stringify({ input_tokens: tokens })) }),
      );
    });
  const provider = { ...scriptedProvider(), dialects: { countTokens } };
  const price = { input: "1", output: "2" };
  const models = [{ id: "plain", maxOutputTokens: 1_000, price, targets: [{ provider, model: "up" }] }];
  return { tested: gatewayUnderTest({ models, ...options }), asked };
}

describe("the estimate of a request's tokens", () => {
  it.each(prompts)("is within 25% of those that a tokenizer counts: $name", async ({ tokens, request }) => {
    const models = [
      {
        id: "plain",
        maxOutputTokens: 1_000,
        price: { input: "1", output: "2" },
        targets: [{ provider: scriptedProvider(), model: "up" }],
      },
    ];
    const tested = gatewayUnderTest({ models });
    const { status, json } = await count(tested, await tested.key(), request);
    expect(status).toBe(200);
    for (const real of tokens) {
      expect(json.input_tokens).toBeGreaterThanOrEqual(0.75 * real);
      expect(json.input_tokens).toBeLessThanOrEqual(1.25 * real);
    }
  });

  it("has the tokens that the host counts in its texts, and those of images", async () => {
    const tested = gatewayUnderTest({ money: { countTokens: (text) => text.split(/\s+/).length } });
    const secret = await tested.key();
    const image = { type: "image", source: { type: "url", url: "https://a.example/1.png" } };
    const content = [{ type: "text", text: "What is this?" }, image];
    const { json } = await count(tested, secret, { messages: [{ role: "user", content }] });
    expect(json).toEqual({ input_tokens: 3 + 4 + 3 + 2_048 });
  });
});

describe("a count at the upstream", () => {
  it("needs a positive balance, unless the plan does not bill", async () => {
    const { tested, asked } = countingGateway();
    const { balances } = tested;
    balances.debit({ id: "all", account: "acme", amount: 1_000_000_000n, reason: "test" });
    const refused = await count(tested, await tested.key());
    expect(refused).toMatchObject({ status: 402, json: { type: "error", error: { type: "billing_error" } } });
    expect(asked).toHaveLength(0);
    const counted = count(tested, await tested.key({ plan: "subscription" }));
    await expect.poll(() => asked).toHaveLength(1);
    asked[0]?.(14);
    expect(await counted).toEqual({ status: 200, json: { input_tokens: 14 } });
    expect(balances.balance("acme")).toMatchObject({ posted: 0n, held: 0n });
  });

  it("runs at most four times at once for a key, whose further counts are estimated immediately", async () => {
    const { tested, asked } = countingGateway();
    const [secret, other] = [await tested.key(), await tested.key()];
    const first = [1, 2, 3, 4].map(() => count(tested, secret));
    await expect.poll(() => asked).toHaveLength(4);
    const estimated = await count(tested, secret);
    expect(estimated.json.input_tokens).toBeLessThan(14);
    expect(asked).toHaveLength(4);
    const others = count(tested, other);
    await expect.poll(() => asked).toHaveLength(5);
    for (const answer of asked) answer(14);
    expect((await Promise.all([...first, others])).map(({ json }) => json.input_tokens)).toEqual([14, 14, 14, 14, 14]);
    const next = count(tested, secret);
    await expect.poll(() => asked).toHaveLength(6);
    asked[5]?.(14);
    expect((await next).json).toEqual({ input_tokens: 14 });
  });
});
