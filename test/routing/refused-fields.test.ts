import { describe, expect, it } from "vitest";
import { routed } from "./routed.ts";
import { answersWith, fails, named } from "./scripts.ts";

const refusing = (name: string, refusedFields: readonly string[], script = answersWith(name)) =>
  named(name, { ...script, capabilities: { ...script.capabilities, refusedFields } });

describe.each([true, false])("a field that an upstream rejects, with stream %s", (stream) => {
  it("sends the request to the next target that accepts it", async () => {
    const first = refusing("first", ["logprobs", "seed"]);
    const second = refusing("second", ["logit_bias"]);
    const { ask } = routed([first, second]);
    expect(await ask(stream, { logprobs: true })).toMatchObject({ status: 200, text: "second", attempts: "1" });
    expect(await ask(stream, { logit_bias: { 50256: -100 } })).toMatchObject({ status: 200, text: "first" });
    expect([first.calls.length, second.calls.length]).toEqual([1, 1]);
  });

  it("skips targets that reject it during failover", async () => {
    const [first, second, third] = [
      named("first", fails("failed")),
      refusing("second", ["seed"]),
      named("third", answersWith("3")),
    ];
    const { ask } = routed([first, second, third]);
    expect(await ask(stream, { seed: 7 })).toMatchObject({ status: 200, text: "3" });
    expect(second.calls.length).toBe(0);
  });

  it("is answered with 400 if every target rejects one, without a call or a charge", async () => {
    const [first, second] = [refusing("first", ["logprobs"]), refusing("second", ["seed", "logprobs"])];
    const { ask, balances } = routed([first, second]);
    const { status, code, response } = await ask(stream, { logprobs: true, seed: 1 });
    expect([status, code, response.headers.get("content-type")]).toEqual([
      400,
      "unsupported_parameter",
      expect.stringContaining("application/json"),
    ]);
    expect([first.calls.length, second.calls.length]).toEqual([0, 0]);
    expect(balances.balance("acme")).toMatchObject({ held: 0n });
  });

  it.each([null, false, 0, "", [], {}])("has no effect with the value %j", async (value) => {
    const { ask } = routed([refusing("only", ["x_field"])]);
    expect(await ask(stream, { x_field: value })).toMatchObject({ status: 200 });
  });

  it("does not count if the gateway converts or adds the field for the target", async () => {
    const only = refusing("only", ["stream_options", "max_completion_tokens", "reasoning_effort"], {
      ...answersWith("only"),
      capabilities: { streamUsage: false, outputCapField: "max_tokens" },
    });
    const { ask } = routed([only], {}, { reasoning: { effortLevels: ["low"], defaultEffort: "low" } });
    const asked = { max_completion_tokens: 9, ...(stream ? { stream_options: { include_usage: true } } : {}) };
    expect(await ask(stream, asked)).toMatchObject({ status: 200, text: "only" });
    expect(only.calls[0]?.request).not.toHaveProperty("reasoning_effort");
    expect(await ask(stream, { reasoning_effort: "low" })).toMatchObject({ status: 400 });
  });
});
