import { describe, expect, it } from "vitest";
import { ProviderError } from "../../../errors/provider-error.ts";
import { asText, encodeUtf8 } from "../../../wire/bytes.ts";
import { readNativeMessage } from "./read-native-message.ts";

const read = (body: string) =>
  readNativeMessage(
    { model: { id: "public", idJson: encodeUtf8('"public"') }, call: { original: encodeUtf8("") } },
    { provider: { name: "anthropic" }, upstreamModel: "upstream-model" },
    { kind: "json", body: encodeUtf8(body), hidden: ["sk-secret"] },
  );

const message =
  '{"model": "upstream-model", "id":"msg_01","type":"message","role":"assistant","content":[{"type":"thinking","thinking":"Hmm.","signature":"EqQB"},{"type":"tool_use","id":"toolu_01","name":"pay","input":{"id":12345678901234567890}}],"stop_reason":"tool_use","stop_sequence":null,"usage":{"input_tokens":10,"output_tokens":5,"service_tier":"standard"}}';

describe("readNativeMessage", () => {
  it("keeps every byte of a message but the model", () => {
    const { json, usage } = read(message);
    expect(asText(json)).toBe(message.replace("upstream-model", "public"));
    expect(usage).toMatchObject({ prompt_tokens: 10, completion_tokens: 5 });
  });

  it("puts a charged usage in place of the reported one, and keeps its other members", () => {
    const json = asText(read(message).withUsage({ prompt_tokens: 7, completion_tokens: 1, total_tokens: 8 }));
    expect(json).toContain('"input":{"id":12345678901234567890}');
    expect(JSON.parse(json).usage).toMatchObject({ input_tokens: 7, output_tokens: 1, service_tier: "standard" });
  });

  it("reads the output of a message without a usage", () => {
    const { usage, output } = read(message.replace(/"usage":.*$/, '"usage":{"output_tokens":-1}}'));
    expect(usage).toBeUndefined();
    expect(output.outputText()).toBe('Hmm.pay{"id":12345678901234567000}');
    expect(output.outputBytes).toBe(34);
  });

  it("throws the error of an error object", () => {
    const error = '{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}';
    expect(() => read(error)).toThrow(expect.objectContaining({ failure: "overloaded" }));
  });

  it.each(["", "[]", "{}", '{"type":"message"}', '{"type":"completion","content":[]}', message.slice(0, -1)])(
    "throws for %j",
    (body) => {
      expect(() => read(body)).toThrow(ProviderError);
    },
  );
});
