import { crc32 } from "node:zlib";
import { messagesForm } from "../upstream/messages-form.ts";
import { type ModelAnswer, promptTokens, textOf } from "../upstream/model-answer.ts";
import { responsesForm } from "../upstream/responses-form.ts";
import { type ApiForm, eventText } from "../upstream/upstream-event.ts";

/** An upstream of a provider package: how it sends an answer, in one piece and as the events of a stream. */
export interface SdkUpstream {
  /** The package without its scope, and the function that makes its provider. */
  readonly name: "openai" | "anthropic" | "amazon-bedrock" | "google-vertex";
  readonly factory: string;
  readonly model: string;
  readonly streamType: string;
  whole(answer: ModelAnswer): unknown;
  events(answer: ModelAnswer): readonly Uint8Array[];
}

const ofForm = ({ whole, events }: ApiForm<ModelAnswer>, model: string) => ({
  model,
  streamType: "text/event-stream",
  whole: (answer: ModelAnswer) => whole(answer, model),
  events: (answer: ModelAnswer) => events(answer, model).map((event) => Buffer.from(eventText(event))),
});

/** The upstreams of the packages that are tested in each generation. */
export const sdkUpstreams: readonly SdkUpstream[] = [
  { name: "openai", factory: "createOpenAI", ...ofForm(responsesForm, "gpt-5") },
  { name: "anthropic", factory: "createAnthropic", ...ofForm(messagesForm, "claude-sonnet-4-5") },
  {
    name: "google-vertex",
    factory: "createVertex",
    model: "gemini-2.5-pro",
    streamType: "text/event-stream",
    whole: (answer) => generated(partsOf(answer), answer),
    events: (answer) =>
      partsOf(answer).map((part, index, { length }) =>
        Buffer.from(`data: ${JSON.stringify(generated([part], index === length - 1 ? answer : undefined))}\n\n`),
      ),
  },
  {
    name: "amazon-bedrock",
    factory: "createAmazonBedrock",
    model: "anthropic.claude-sonnet-4-5-20250929-v1:0",
    streamType: "application/vnd.amazon.eventstream",
    whole: (answer) => ({
      output: { message: { role: "assistant", content: answer.parts.map((part) => contentOf(part)) } },
      stopReason: stopReason(answer),
      usage: bedrockUsage(answer),
    }),
    events: (answer) => [
      awsEvent("messageStart", { role: "assistant" }),
      ...answer.parts.flatMap(blockEvents),
      awsEvent("messageStop", { stopReason: stopReason(answer) }),
      awsEvent("metadata", { usage: bedrockUsage(answer) }),
    ],
  },
];

type Part = ModelAnswer["parts"][number];

/** The parts of Gemini: calls are whole. Follows https://cloud.google.com/vertex-ai/generative-ai/docs/model-reference/inference */
const partsOf = ({ parts }: ModelAnswer): readonly object[] =>
  parts.flatMap((part): readonly object[] => {
    if (part.type === "text") return part.pieces.map((text) => ({ text }));
    if (part.type === "tool") return [{ functionCall: { name: part.name, args: JSON.parse(textOf(part)) } }];
    return [];
  });

const generated = (parts: readonly object[], last: ModelAnswer | undefined) => ({
  candidates: [
    { content: { role: "model", parts }, index: 0, ...(last === undefined ? {} : { finishReason: "STOP" }) },
  ],
  ...(last === undefined
    ? {}
    : { usageMetadata: { promptTokenCount: promptTokens(last.tokens), candidatesTokenCount: last.tokens.output } }),
});

/** Follows https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Converse.html */
function contentOf(part: Part): object {
  if (part.type === "tool")
    return { toolUse: { toolUseId: part.id, name: part.name, input: JSON.parse(textOf(part)) } };
  return { text: "pieces" in part ? textOf(part) : "" };
}

/** Follows https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ConverseStream.html */
function blockEvents(part: Part, contentBlockIndex: number): readonly Uint8Array[] {
  const pieces = "pieces" in part ? part.pieces : [];
  const start = part.type === "tool" ? [{ start: { toolUse: { toolUseId: part.id, name: part.name } } }] : [];
  return [
    ...start.map((each) => awsEvent("contentBlockStart", { ...each, contentBlockIndex })),
    ...pieces.map((text) => {
      const delta = part.type === "tool" ? { toolUse: { input: text } } : { text };
      return awsEvent("contentBlockDelta", { delta, contentBlockIndex });
    }),
    awsEvent("contentBlockStop", { contentBlockIndex }),
  ];
}

const stopReason = ({ end }: ModelAnswer) => (end === "tools" ? "tool_use" : "end_turn");

const bedrockUsage = ({ tokens }: ModelAnswer) => ({
  inputTokens: promptTokens(tokens),
  outputTokens: tokens.output,
  totalTokens: promptTokens(tokens) + tokens.output,
});

/** Follows https://docs.aws.amazon.com/transcribe/latest/dg/event-stream.html */
function awsEvent(type: string, payload: object): Uint8Array {
  const headers = Buffer.concat(
    Object.entries({ ":event-type": type, ":content-type": "application/json", ":message-type": "event" }).map(header),
  );
  const body = Buffer.from(JSON.stringify(payload));
  const prelude = Buffer.alloc(12);
  prelude.writeUInt32BE(headers.length + body.length + 16, 0);
  prelude.writeUInt32BE(headers.length, 4);
  prelude.writeUInt32BE(crc32(prelude.subarray(0, 8)), 8);
  const message = Buffer.concat([prelude, headers, body, Buffer.alloc(4)]);
  message.writeUInt32BE(crc32(message.subarray(0, -4)), message.length - 4);
  return message;
}

function header([name, value]: [string, string]): Buffer {
  const length = Buffer.alloc(2);
  length.writeUInt16BE(value.length);
  const isString = 7;
  return Buffer.concat([
    Buffer.from([name.length]),
    Buffer.from(name),
    Buffer.from([isString]),
    length,
    Buffer.from(value),
  ]);
}
