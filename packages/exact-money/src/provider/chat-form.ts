import type { Tokens } from "../models.ts";
import { type AnswerForm, eventText, type PlannedAnswer, type StreamEvent, usageMember } from "./answer-form.ts";

/** Chat completions, as https://platform.openai.com/docs/api-reference/chat describes them. */
export const chatForm: AnswerForm = {
  usageOf,
  whole: (answer) => ({
    ...identity(answer, "chat.completion"),
    choices: [
      {
        index: 0,
        message: { role: "assistant", content: answer.pieces.join("") },
        logprobs: null,
        finish_reason: "stop",
      },
    ],
    ...usageMember(answer),
  }),
  events(answer) {
    const { usageAt } = answer;
    const usage = usageEvent(answer);
    const done: StreamEvent = { moment: "done", text: eventText("[DONE]") };
    const tail = usageAt === "after done" ? [done, ...usage] : [...(isApart(answer) ? usage : []), done];
    return [
      { moment: "start", text: chunk(answer, { role: "assistant", content: "" }, null) },
      ...(usageAt === "first" ? usage : []),
      ...answer.pieces.map((piece, at): StreamEvent => ({ moment: at + 1, piece, text: pieceText(answer, piece, at) })),
      finishEvent(answer),
      ...tail,
    ];
  },
};

function usageOf({ input, output, cached, cacheWrite, reasoning }: Tokens): object {
  const read = cached === undefined ? {} : { cached_tokens: cached };
  const written = cacheWrite === undefined ? {} : { cache_write_tokens: cacheWrite };
  return {
    prompt_tokens: input,
    completion_tokens: output,
    total_tokens: input + output,
    ...(cached === undefined && cacheWrite === undefined ? {} : { prompt_tokens_details: { ...read, ...written } }),
    ...(reasoning === undefined ? {} : { completion_tokens_details: { reasoning_tokens: reasoning } }),
  };
}

const identity = ({ id, model }: PlannedAnswer, object: string) => ({ id, object, created: 1_700_000_000, model });

function chunk(answer: PlannedAnswer, delta: object, finish_reason: string | null, more: object = {}): string {
  const choices = [{ index: 0, delta, finish_reason }];
  return eventText({ ...identity(answer, "chat.completion.chunk"), choices, ...more });
}

const isApart = ({ usageAt }: PlannedAnswer): boolean => usageAt !== "with finish" && usageAt !== "first";

/** With "every piece", the usage so far. */
function pieceText(answer: PlannedAnswer, content: string, at: number): string {
  if (answer.usageAt !== "every piece") return chunk(answer, { content }, null);
  const output = Math.floor((answer.tokens.output * (at + 1)) / answer.pieces.length);
  return chunk(answer, { content }, null, { usage: usageOf({ ...answer.tokens, output }) });
}

function finishEvent(answer: PlannedAnswer): StreamEvent {
  const tells = answer.usageAt === "with finish" && answer.usage !== undefined;
  return { moment: "finish", text: chunk(answer, {}, "stop", tells ? usageMember(answer) : {}), tells };
}

function usageEvent(answer: PlannedAnswer): readonly StreamEvent[] {
  if (answer.usage === undefined) return [];
  const data = { ...identity(answer, "chat.completion.chunk"), choices: [], usage: answer.usage };
  const event: StreamEvent = { moment: "usage", text: eventText(data), tells: true };
  return answer.usageAt === "twice" ? [event, event] : [event];
}
