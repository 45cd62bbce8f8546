import { type Api, basic, type Tokens } from "../models.ts";

/**
 * A moment in the answer to one request: before anything is sent, after the headers and what comes before any content, after
 * that many pieces of content, after their end, after the usage, and after the end of the stream. An answer in one piece has
 * "before headers" and "half", which is within its body.
 */
export type Moment = "before headers" | "start" | number | "finish" | "usage" | "done" | "half";

/** Where a stream of chat completions tells its usage. */
export type UsagePlace = "end" | "with finish" | "every piece" | "first" | "after done" | "twice";

/** What the provider is asked for, as it reads the request. */
export interface Asked {
  readonly api: Api;
  readonly stream: boolean;
  readonly body: Readonly<Record<string, unknown>>;
  readonly bytes: number;
}

/** How the provider answers every request whose prompt names the script. */
export interface Script {
  /** The content, of which a stream has a frame each. Default: three pieces of 40 characters. */
  readonly pieces?: readonly string[];
  /** What the provider bills and tells. Default: 20 in, 6 out. */
  readonly tokens?: Tokens | ((asked: Asked) => Tokens);
  /** What it tells in place of `tokens`: nothing, or this value of the member `usage`, also if it is no usage. */
  readonly usage?: "absent" | { readonly raw: unknown };
  /** Default: "end". Only in streams of chat completions. */
  readonly usageAt?: UsagePlace;
  /** The first `times` requests get this status and no answer. Default: all of them. */
  readonly refusal?: { readonly status: number; readonly times?: number };
  /** The moment at which it breaks the connection. */
  readonly cutAt?: Moment;
  /** The moment at which it waits until the case releases it. */
  readonly pauseAt?: Moment;
}

/** What the provider has done for one request. */
export interface Delivery extends Asked {
  /** The pieces of content that it has written. */
  readonly pieces: number;
  /** The bytes of their texts. */
  readonly contentBytes: number;
  /** What it bills, if it has written its usage. */
  readonly told: Tokens | undefined;
  /** True from the moment at which it waits until it goes on. */
  readonly waiting: boolean;
  /** "left": the gateway has closed the connection before the end. "cut": the provider broke it. "refused": it had a status of an error. */
  readonly ended: "running" | "whole" | "left" | "cut" | "refused";
}

/**
 * What a request consumes that uses all that it may: a token for four bytes of the prompt, and as much output as the highest cap
 * in it allows for each choice. A cap or number of choices that is a text counts too, since some providers read it so.
 */
export function usesItsCap({ body, bytes }: Asked): Tokens {
  const caps = ["max_tokens", "max_completion_tokens", "max_output_tokens"].flatMap((name) => countsIn(body[name]));
  const perChoice = caps.length === 0 ? basic.maxOutput : Math.min(basic.maxOutput, Math.max(...caps));
  const [choices = 1] = countsIn(body["n"]);
  return { input: Math.ceil(bytes / 4), output: Math.ceil(perChoice * choices) };
}

const countsIn = (value: unknown): number[] =>
  (typeof value === "number" || typeof value === "string") && Number(value) > 0 ? [Number(value)] : [];

/** The default content. A tokenizer counts between 2 and 40 tokens for each piece. */
export const defaultPieces: readonly string[] = ["one", "two", "three"].map((word) =>
  `${word} `.repeat(40).slice(0, 40),
);

/** The default usage. */
export const defaultTokens: Tokens = { input: 20, output: 6 };

/** Returns so many pieces of content. */
export const piecesOf = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, at) => `piece ${at} of a long answer of the model. `.padEnd(40).slice(0, 40));
