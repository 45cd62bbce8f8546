/** One part of a model's answer. Each piece is one delta of a stream. */
export type AnswerPart =
  | { readonly type: "text" | "refusal"; readonly pieces: readonly string[] }
  | { readonly type: "thinking"; readonly pieces: readonly string[]; readonly signature: string }
  | { readonly type: "redacted thinking"; readonly data: string }
  | { readonly type: "tool"; readonly id: string; readonly name: string; readonly pieces: readonly string[] };

/** What a model consumed. `input` counts only tokens that no cache had or got; `output` contains `reasoning`. */
export interface AnswerTokens {
  readonly input: number;
  readonly cacheRead: number;
  readonly cacheWrite5m: number;
  readonly cacheWrite1h: number;
  readonly output: number;
  readonly reasoning: number;
}

/** An answer of a model, from which a mock upstream makes the JSON or the stream of its API. */
export interface ModelAnswer {
  readonly parts: readonly AnswerPart[];
  /** Why the model stopped. */
  readonly end: "stop" | "length" | "tools" | "refusal";
  readonly tokens: AnswerTokens;
  /** The id that the Responses API gives it. Absent: "resp_upstream_01". */
  readonly responseId?: string;
}

/** The counts of an answer whose test is not about its cost. */
export const someTokens: AnswerTokens = {
  input: 20,
  cacheRead: 0,
  cacheWrite5m: 0,
  cacheWrite1h: 0,
  output: 9,
  reasoning: 0,
};

/** Returns the text of a part: its pieces joined. */
export const textOf = ({ pieces }: { readonly pieces: readonly string[] }): string => pieces.join("");

/** All tokens of the prompt. */
export const promptTokens = ({ input, cacheRead, cacheWrite5m, cacheWrite1h }: AnswerTokens): number =>
  input + cacheRead + cacheWrite5m + cacheWrite1h;

/** An answer with one text. */
export const textAnswer = (pieces: readonly string[], tokens: Partial<AnswerTokens> = {}): ModelAnswer => ({
  parts: [{ type: "text", pieces }],
  end: "stop",
  tokens: { ...someTokens, ...tokens },
});

/** A call of a tool, whose arguments arrive in two pieces. */
export function toolCall(id: string, name: string, input: object): AnswerPart {
  const json = JSON.stringify(input);
  const half = Math.ceil(json.length / 2);
  return { type: "tool", id, name, pieces: [json.slice(0, half), json.slice(half)] };
}

/** An answer that calls tools, after a text if there is one. */
export const toolsAnswer = (calls: readonly AnswerPart[], text: readonly string[] = []): ModelAnswer => ({
  parts: [...(text.length === 0 ? [] : [{ type: "text" as const, pieces: text }]), ...calls],
  end: "tools",
  tokens: someTokens,
});
