import { healthyPieces, healthyTokens, type Tokens } from "./outcome.ts";
import { answer, canary, events, type Script } from "./script.ts";

/** The id and the model name in each frame of a target. */
export interface FrameSource {
  readonly id: string;
  readonly model: string;
}

/** The frames of the first target. */
export const first: FrameSource = { id: "up-first", model: canary.model };
/** The frames of the second target. */
export const second: FrameSource = { id: "up-second", model: canary.model };

const created = 1_700_000_000;

/** The data of a frame. */
export const frame = ({ id, model }: FrameSource, choices: readonly object[], more: object = {}): string =>
  JSON.stringify({ id, object: "chat.completion.chunk", created, model, choices, ...more });

/** The data of a frame with text. */
export const content = (source: FrameSource, text: string, more: object = {}): string =>
  frame(source, [{ index: 0, delta: { content: text }, finish_reason: null }], more);

/** The data of a frame with only the role. */
export const role = (source: FrameSource): string =>
  frame(source, [{ index: 0, delta: { role: "assistant", content: "" }, finish_reason: null }]);

/** The data of the last frame of a choice. */
export const finish = (source: FrameSource, more: object = {}): string =>
  frame(source, [{ index: 0, delta: {}, finish_reason: "stop" }], more);

/** The data of the usage frame. */
export const usage = (source: FrameSource, tokens: Tokens): string => frame(source, [], { usage: usageOf(tokens) });

/** A usage in the format of the wire. */
export const usageOf = ({ prompt, completion }: Tokens) => ({
  prompt_tokens: prompt,
  completion_tokens: completion,
  total_tokens: prompt + completion,
});

/** One event with this data. */
export const event = (data: string): string => `data: ${data}\n\n`;

/** The data of each frame of a well-formed stream, without usage and `[DONE]`. */
export const contentFrames = (source: FrameSource, pieces: readonly string[] = healthyPieces): string[] => [
  role(source),
  ...pieces.map((piece) => content(source, piece)),
  finish(source),
];

/** A JSON completion. */
export const completion = ({ id, model }: FrameSource, pieces: readonly string[], reported?: unknown) => ({
  id,
  object: "chat.completion",
  created,
  model,
  choices: [{ index: 0, message: { role: "assistant", content: pieces.join("") }, finish_reason: "stop" }],
  ...(reported === undefined ? {} : { usage: reported }),
});

/** The script of a healthy target. */
export function healthy(source: FrameSource, tokens: Tokens, stream: boolean, pieces = healthyPieces): Script {
  if (!stream) return answer(200, completion(source, pieces, usageOf(tokens)));
  return events(...[...contentFrames(source, pieces), usage(source, tokens), "[DONE]"].map(event));
}

/** A well-formed stream of the first target, as text. */
export const wholeStream = (): string =>
  [...contentFrames(first), usage(first, healthyTokens), "[DONE]"].map(event).join("");
