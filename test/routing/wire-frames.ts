import { healthyPieces, healthyTokens, type Tokens } from "./outcome.ts";
import { answer, canary, events, type Script } from "./script.ts";

/** The id and the model name in the frames of an upstream. */
export interface Upstream {
  readonly id: string;
  readonly model: string;
}

/** The first target. */
export const first: Upstream = { id: "up-first", model: canary.model };
/** The second target. */
export const second: Upstream = { id: "up-second", model: canary.model };

const created = 1_700_000_000;

/** The data of a frame. */
export const frame = ({ id, model }: Upstream, choices: readonly object[], more: object = {}): string =>
  JSON.stringify({ id, object: "chat.completion.chunk", created, model, choices, ...more });

/** The data of a frame with text. */
export const content = (upstream: Upstream, text: string, more: object = {}): string =>
  frame(upstream, [{ index: 0, delta: { content: text }, finish_reason: null }], more);

/** The data of a frame with only the role. */
export const role = (upstream: Upstream): string =>
  frame(upstream, [{ index: 0, delta: { role: "assistant", content: "" }, finish_reason: null }]);

/** The data of the last frame of a choice. */
export const finish = (upstream: Upstream, more: object = {}): string =>
  frame(upstream, [{ index: 0, delta: {}, finish_reason: "stop" }], more);

/** The data of the usage frame. */
export const usage = (upstream: Upstream, tokens: Tokens): string => frame(upstream, [], { usage: usageOf(tokens) });

/** A usage in the format of the wire. */
export const usageOf = ({ prompt, completion }: Tokens) => ({
  prompt_tokens: prompt,
  completion_tokens: completion,
  total_tokens: prompt + completion,
});

/** One event with this data. */
export const event = (data: string): string => `data: ${data}\n\n`;

/** The data of the frames of a healthy stream, without usage and `[DONE]`. */
export const contentFrames = (upstream: Upstream, pieces: readonly string[] = healthyPieces): string[] => [
  role(upstream),
  ...pieces.map((piece) => content(upstream, piece)),
  finish(upstream),
];

/** A completion without streaming. */
export const completion = ({ id, model }: Upstream, pieces: readonly string[], reported?: unknown) => ({
  id,
  object: "chat.completion",
  created,
  model,
  choices: [{ index: 0, message: { role: "assistant", content: pieces.join("") }, finish_reason: "stop" }],
  ...(reported === undefined ? {} : { usage: reported }),
});

/** The script of a healthy target. */
export function healthy(upstream: Upstream, tokens: Tokens, stream: boolean, pieces = healthyPieces): Script {
  if (!stream) return answer(200, completion(upstream, pieces, usageOf(tokens)));
  return events(...[...contentFrames(upstream, pieces), usage(upstream, tokens), "[DONE]"].map(event));
}

/** A healthy stream of the first target, as text. */
export const wholeStream = (): string =>
  [...contentFrames(first), usage(first, healthyTokens), "[DONE]"].map(event).join("");
