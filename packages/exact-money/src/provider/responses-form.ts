import type { Tokens } from "../models.ts";
import {
  type AnswerForm,
  eventText,
  type PlannedAnswer,
  type StreamEvent,
  type TypedData,
  usageMember,
} from "./answer-form.ts";

/** Responses, as https://platform.openai.com/docs/api-reference/responses-streaming describes them. */
export const responsesForm: AnswerForm = {
  usageOf,
  whole: ended,
  events(answer) {
    const text = answer.pieces.join("");
    const events: readonly Unnumbered[] = [
      ["start", { type: "response.created", response: opened(answer) }],
      ["start", { type: "response.output_item.added", output_index: 0, item: itemOf(answer, "in_progress", []) }],
      ["start", { type: "response.content_part.added", ...place(answer), part: partOf("") }],
      ...answer.pieces.map((delta, at): Unnumbered => [at + 1, deltaOf(answer, delta), delta]),
      ["finish", { type: "response.output_text.done", ...place(answer), text, logprobs: [] }],
      ["finish", { type: "response.content_part.done", ...place(answer), part: partOf(text) }],
      [
        "finish",
        { type: "response.output_item.done", output_index: 0, item: itemOf(answer, "completed", [partOf(text)]) },
      ],
      ["usage", { type: "response.completed", response: ended(answer) }],
    ];
    return events
      .map(numbered)
      .map((event, at) => (at === events.length - 1 ? { ...event, tells: isTold(answer) } : event));
  },
};

type Unnumbered = readonly [moment: StreamEvent["moment"], data: TypedData, piece?: string];

const isTold = ({ usage }: PlannedAnswer): boolean => usage !== undefined;

const numbered = ([moment, data, piece]: Unnumbered, sequence_number: number): StreamEvent => ({
  moment,
  text: eventText({ ...data, sequence_number }, data.type),
  ...(piece === undefined ? {} : { piece }),
});

function usageOf({ input, output, cached = 0, reasoning = 0 }: Tokens): object {
  return {
    input_tokens: input,
    input_tokens_details: { cached_tokens: cached },
    output_tokens: output,
    output_tokens_details: { reasoning_tokens: reasoning },
    total_tokens: input + output,
  };
}

const opened = ({ id, model }: PlannedAnswer) => ({
  id: `resp_${id}`,
  object: "response",
  created_at: 1_700_000_000,
  status: "in_progress",
  error: null,
  incomplete_details: null,
  instructions: null,
  max_output_tokens: null,
  metadata: {},
  model,
  output: [],
  parallel_tool_calls: true,
  previous_response_id: null,
  store: false,
  temperature: 1,
  text: { format: { type: "text" } },
  tool_choice: "auto",
  tools: [],
  top_p: 1,
  truncation: "disabled",
});

function ended(answer: PlannedAnswer): object {
  const output = [itemOf(answer, "completed", [partOf(answer.pieces.join(""))])];
  return { ...opened(answer), status: "completed", output, ...usageMember(answer) };
}

const itemIdOf = ({ id }: PlannedAnswer): string => `msg_${id}`;

const itemOf = (answer: PlannedAnswer, status: string, content: readonly object[]) => ({
  id: itemIdOf(answer),
  type: "message",
  role: "assistant",
  status,
  content,
});

const partOf = (text: string) => ({ type: "output_text", text, annotations: [], logprobs: [] });

const place = (answer: PlannedAnswer) => ({ item_id: itemIdOf(answer), output_index: 0, content_index: 0 });

const deltaOf = (answer: PlannedAnswer, delta: string) => ({
  type: "response.output_text.delta",
  ...place(answer),
  delta,
  logprobs: [],
});
