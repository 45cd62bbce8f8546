import { describe, expect, it } from "vitest";
import { Cancellation } from "../ports/cancellation.ts";
import type { ProviderCall } from "../ports/provider-adapter.ts";
import { encodeUtf8 } from "../wire/bytes.ts";
import { readChatCompletionRequest } from "../wire/chat-completion-request.ts";
import { writeLosslessJson } from "../wire/lossless-json.ts";
import { fetchTransport } from "./fetch-transport.ts";
import { withLosslessSchemas } from "./lossless-schemas.ts";

const head = '{"model":"m","messages":[{"role":"user","content":"Hello"}],"temperature":0.50,"n":1.0';
const tools = (schema: string) => `"tools":[{"type":"function","function":{"name":"f","parameters":${schema}}}]`;
const format = (schema: string) =>
  `"response_format":{"type":"json_schema","json_schema":{"name":"r","schema":${schema}}}`;

/** A call whose request is this text, and a count of how often it was encoded. */
function callOf(json: string) {
  const read = readChatCompletionRequest(JSON.parse(json));
  if ("problem" in read) throw new Error(read.problem.message);
  const cancellation = new Cancellation();
  const encodings = { times: 0 };
  const call: ProviderCall = {
    request: read.request,
    encoded: () => {
      encodings.times += 1;
      return encodeUtf8(json);
    },
    signal: cancellation.signal,
    cancellation,
    transport: fetchTransport(),
    connectMs: 1,
    requestId: "request-1",
    publicModel: "public-model",
  };
  return { call, encodings };
}

describe("withLosslessSchemas", () => {
  it.each([
    tools('{"maximum":9223372036854775807}'),
    tools('{"multipleOf":0.010}'),
    format('{"enum":[1e400]}'),
    `${format('{"enum":[12345678901234567890,"1.10"]}')},${tools('{"minimum":5}')}`,
    `${format('{"minimum":0.10}')},"tools":null`,
  ])("keeps the digits of %s", (members) => {
    const { call } = callOf(`${head},${members}}`);
    const { tools: exactTools, response_format, ...others } = withLosslessSchemas(call);
    const { tools: _, response_format: __, ...plain } = call.request;
    expect(others).toEqual(plain);
    const written = writeLosslessJson({ response_format, tools: exactTools });
    for (const member of members.split(',"tools')) expect(written).toContain(member.replace(/^":/, '"tools":'));
  });

  it.each(["", `,${tools('{"minimum":5,"maximum":9007199254740991}')}`, ',"tools":null,"seed":0.5'])(
    "does not read the body again for %j",
    (members) => {
      const { call, encodings } = callOf(`${head}${members}}`);
      expect(withLosslessSchemas(call)).toBe(call.request);
      expect(encodings.times).toBe(0);
    },
  );
});
