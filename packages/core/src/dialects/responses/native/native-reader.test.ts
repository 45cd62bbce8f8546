import { expect, it } from "vitest";
import { GatewayError } from "../../../errors/gateway-error.ts";
import { AnswerGuard } from "../../../upstream/answer-guard.ts";
import { NativeTranslator } from "../../../upstream/native-translator.ts";
import { decodeUtf8, encodeUtf8 } from "../../../wire/bytes.ts";
import { responseMembers } from "../../known-members.ts";
import { ResponsesReader } from "./native-reader.ts";

const answer = {
  event: (event: { readonly response?: unknown }) =>
    typeof event.response === "object" && event.response !== null
      ? { ...event, response: { ...event.response, model: "public" } }
      : undefined,
};
const usage = { input_tokens: 10, output_tokens: 5, total_tokens: 15, input_tokens_details: { cached_tokens: 4 } };
const charged = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 };

/** A translator with a reader, and what it forwards for events. */
function translate(onAnswer?: (json: string) => string | Promise<string>) {
  const reader = new ResponsesReader(answer, () => ({ object: "response", model: "public" }), onAnswer);
  const translator = new NativeTranslator(reader, {
    failureContext: () => ({}),
    guard: () => new AnswerGuard(responseMembers, { public: "public", upstream: "upstream" }, encodeUtf8(""), {}),
    onUnknownEvent: () => undefined,
  });
  const send = (data: { readonly type: string; readonly [name: string]: unknown }) => {
    const frames = translator.translate(encodeUtf8(`event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`));
    return frames && decodeUtf8(frames);
  };
  return { translator, send };
}

const created = { type: "response.created", sequence_number: 0, response: { id: "resp_1", model: "upstream" } };
const completed = {
  type: "response.completed",
  sequence_number: 1,
  response: { id: "resp_1", model: "upstream", output: [], usage },
};

it("withholds the end until it is charged, and then sends what the store returns", async () => {
  const { translator, send } = translate(async (json) => json.replace("resp_1", "resp_stored"));
  expect(send(created)).toContain('"model":"public"');
  expect(translator.started).toBe(false);
  expect(send(completed)).toBeUndefined();
  expect([translator.complete, translator.done]).toEqual([true, true]);
  expect(translator.usage).toMatchObject({ ...charged, prompt_tokens_details: { cached_tokens: 4 } });
  const last = decodeUtf8(await translator.finish(charged));
  expect(last).toMatch(/^event: response\.completed\ndata: \{"type":"response\.completed","sequence_number":1,/);
  expect(last).toContain('"id":"resp_stored"');
});

it("sends the usage that was charged if it is another one, and the answer even if the store fails", async () => {
  const { translator, send } = translate(() => {
    throw new Error("The store is unavailable.");
  });
  send(completed);
  const last = decodeUtf8(await translator.finish({ prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 }));
  expect(last).toContain('"input_tokens":1,');
  expect(last).toContain('"total_tokens":3}');
});

it.each([
  [{ type: "error", sequence_number: 1, code: "rate_limit_exceeded", message: "Slow down", param: null }, "overloaded"],
  [{ type: "response.failed", response: { error: { code: "server_error", message: "x" } } }, "failed"],
  [{ type: "response.failed", response: {} }, "failed"],
  [{ type: "response.completed", response: { status: "failed", error: { code: "server_error" } } }, "failed"],
  [{ type: "response.completed", response: { status: "cancelled", error: null } }, "failed"],
])("classifies %j", (event, failure) => {
  const { translator, send } = translate();
  send(created);
  expect(send(event)).toBeUndefined();
  expect(translator.failure).toMatchObject({ failure });
  const failed = decodeUtf8(translator.fail(new GatewayError("upstream_failed", "The upstream failed.")));
  expect(failed).toContain(
    '"type":"response.failed","sequence_number":1,"response":{"id":"resp_1","model":"public","status":"failed"',
  );
});

it("does not take a stream without its end for complete", () => {
  const { translator, send } = translate();
  send(created);
  send({ type: "response.output_text.delta", sequence_number: 1, delta: "Hi" });
  expect([translator.started, translator.outputBytes]).toEqual([true, 2]);
  translator.end();
  expect(translator.failure).toMatchObject({ failure: "invalid_response" });
});
