import type { Tokens } from "../models.ts";
import {
  type AnswerForm,
  eventText,
  type PlannedAnswer,
  type StreamEvent,
  type TypedData,
  usageMember,
} from "./answer-form.ts";

/** Messages, as https://platform.claude.com/docs/en/build-with-claude/streaming describes them. */
export const messagesForm: AnswerForm = {
  usageOf,
  whole: (answer) => ({
    ...opening(answer),
    content: [{ type: "text", text: answer.pieces.join("") }],
    stop_reason: "end_turn",
    ...usageMember(answer),
  }),
  events: (answer) => [
    {
      moment: "start",
      text: named({ type: "message_start", message: { ...opening(answer), ...openingUsage(answer) } }),
    },
    {
      moment: "start",
      text: named({ type: "content_block_start", index: 0, content_block: { type: "text", text: "" } }),
    },
    ...answer.pieces.map(pieceEvent),
    { moment: "finish", text: named({ type: "content_block_stop", index: 0 }) },
    {
      moment: "usage",
      text: named({
        type: "message_delta",
        delta: { stop_reason: "end_turn", stop_sequence: null },
        ...usageMember(answer),
      }),
      tells: answer.usage !== undefined,
    },
    { moment: "done", text: named({ type: "message_stop" }) },
  ],
};

/** The API counts cached tokens beside `input_tokens`. */
function usageOf({ input, output, cached = 0, cacheWrite = 0 }: Tokens): object {
  return {
    input_tokens: input - cached - cacheWrite,
    cache_read_input_tokens: cached,
    cache_creation_input_tokens: cacheWrite,
    output_tokens: output,
  };
}

const opening = ({ id, model }: PlannedAnswer) => ({
  id: `msg_${id}`,
  type: "message",
  role: "assistant",
  model,
  content: [],
  stop_reason: null,
  stop_sequence: null,
});

/** The first event tells the prompt, and one token of output. */
const openingUsage = ({ usage, tokens }: PlannedAnswer): object =>
  usage === undefined ? {} : { usage: usageOf({ ...tokens, output: 1 }) };

const pieceEvent = (piece: string, at: number): StreamEvent => ({
  moment: at + 1,
  piece,
  text: named({ type: "content_block_delta", index: 0, delta: { type: "text_delta", text: piece } }),
});

const named = (data: TypedData): string => eventText(data, data.type);
