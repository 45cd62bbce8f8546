import { healthyPieces, healthyTokens, type Tokens } from "./outcome.ts";
import { answer, canary, events, type Script } from "./script.ts";

/** Who speaks: under which id and model name. */
export interface Speaker {
  readonly id: string;
  readonly model: string;
}

/** The first target, as it calls itself. */
export const first: Speaker = { id: "up-first", model: canary.model };
/** The second target. */
export const second: Speaker = { id: "up-second", model: canary.model };

const created = 1_700_000_000;

/** The data of a frame. */
export const frame = ({ id, model }: Speaker, choices: readonly object[], more: object = {}): string =>
  JSON.stringify({ id, object: "chat.completion.chunk", created, model, choices, ...more });

/** The data of a frame with a piece of text. */
export const content = (speaker: Speaker, text: string, more: object = {}): string =>
  frame(speaker, [{ index: 0, delta: { content: text }, finish_reason: null }], more);

/** The data of a frame with the role alone. */
export const role = (speaker: Speaker): string =>
  frame(speaker, [{ index: 0, delta: { role: "assistant", content: "" }, finish_reason: null }]);

/** The data of the last frame of a choice. */
export const finish = (speaker: Speaker, more: object = {}): string =>
  frame(speaker, [{ index: 0, delta: {}, finish_reason: "stop" }], more);

/** The data of the usage frame. */
export const usage = (speaker: Speaker, tokens: Tokens): string => frame(speaker, [], { usage: usageOf(tokens) });

/** A usage as the wire has it. */
export const usageOf = ({ prompt, completion }: Tokens) => ({
  prompt_tokens: prompt,
  completion_tokens: completion,
  total_tokens: prompt + completion,
});

/** Data as one event. */
export const event = (data: string): string => `data: ${data}\n\n`;

/** All of a well-behaved stream without usage and `[DONE]`, as data of frames. */
export const speech = (speaker: Speaker, pieces: readonly string[] = healthyPieces): string[] => [
  role(speaker),
  ...pieces.map((piece) => content(speaker, piece)),
  finish(speaker),
];

/** A completion in one piece. */
export const completion = ({ id, model }: Speaker, pieces: readonly string[], reported?: unknown) => ({
  id,
  object: "chat.completion",
  created,
  model,
  choices: [{ index: 0, message: { role: "assistant", content: pieces.join("") }, finish_reason: "stop" }],
  ...(reported === undefined ? {} : { usage: reported }),
});

/** What a healthy target does. */
export function healthy(speaker: Speaker, tokens: Tokens, stream: boolean, pieces = healthyPieces): Script {
  if (!stream) return answer(200, completion(speaker, pieces, usageOf(tokens)));
  return events(...[...speech(speaker, pieces), usage(speaker, tokens), "[DONE]"].map(event));
}

/** A well-behaved stream of the first target, as text. */
export const wholeStream = (): string => [...speech(first), usage(first, healthyTokens), "[DONE]"].map(event).join("");
