/** The token counts that an upstream reports. */
export interface Tokens {
  readonly prompt: number;
  readonly completion: number;
}

/** The client gets an error, and nothing is charged. */
export interface Fails {
  readonly kind: "fails";
  readonly status: number;
  readonly code: string;
  /** The number of attempts at the first target if it keeps failing. */
  readonly tries: number;
  /** Whether the next target is tried afterwards. */
  readonly fallsBack: boolean;
  /** The value of `Retry-After`; undefined if it is absent. */
  readonly retryAfter: number | undefined;
  readonly message: string | undefined;
  readonly param: string | undefined;
  /** Whether the breaker of the first target opens. */
  readonly opens: boolean;
  /** The minimum time between two attempts, in milliseconds. */
  readonly apartMs: number;
}

/** The client gets a complete answer from the first target at the first attempt. */
export interface Answers {
  readonly kind: "answers";
  readonly pieces: readonly string[];
  /** Undefined if the usage is estimated because no valid one was reported. */
  readonly tokens: Tokens | undefined;
  /** False if the gateway writes frames that differ from those of the upstream. */
  readonly sameFrames: boolean;
}

/** The client gets the beginning of an answer and then an error frame. The delivered output is charged. */
export interface BreaksOff {
  readonly kind: "breaks off";
  readonly pieces: readonly string[];
  readonly code: string;
  readonly opens: boolean;
}

/** The expected result of a row with a single target. */
export type Outcome = Fails | Answers | BreaksOff;

type Details = Partial<Omit<Fails, "kind" | "status" | "code">>;

const fails = (status: number, code: string, details: Details): Fails => ({
  kind: "fails",
  status,
  code,
  tries: 1,
  fallsBack: true,
  retryAfter: status === 503 ? 1 : undefined,
  message: undefined,
  param: undefined,
  opens: false,
  apartMs: 0,
  ...details,
});

/** 400: the request is invalid. */
export const rejected = (message?: string, param?: string): Fails =>
  fails(400, "invalid_request", { fallsBack: false, message, param });
/** 400: the prompt is too long, and the second target has no larger window. */
export const tooLong = (message?: string): Fails =>
  fails(400, "context_length_exceeded", { fallsBack: false, message });
/** 413. */
export const tooLarge: Fails = fails(413, "payload_too_large", { fallsBack: false });
/** The host's account was rejected. The breaker of the target opens, except for a 403. */
export const credentials = (opens = true): Fails => fails(502, "upstream_rejected_credentials", { opens });
/** 5xx and similar statuses. */
export const failed: Fails = fails(502, "upstream_failed", { tries: 3 });
/** The upstream is overloaded, without a Retry-After or with a short one. */
export const overloaded = (details: Details = {}): Fails => fails(503, "upstream_overloaded", { tries: 3, ...details });
/** The connection failed. */
export const unreachable: Fails = fails(503, "upstream_unavailable", { tries: 3 });
/** A time limit passed. */
export const late = (fallsBack = true): Fails => fails(503, "upstream_timeout", { fallsBack });
/** 200 with a body that is not a completion. */
export const invalid: Fails = fails(502, "upstream_invalid_response", { tries: 2 });

/** A complete answer with the healthy text. */
export const answers = (details: Partial<Omit<Answers, "kind">> = {}): Answers => ({
  kind: "answers",
  pieces: healthyPieces,
  tokens: healthyTokens,
  sameFrames: true,
  ...details,
});

/** The first piece of the healthy text, and then an error frame. */
export const breaksOff = (code: string, pieces: readonly string[] = healthyPieces.slice(0, 1)): BreaksOff => ({
  kind: "breaks off",
  pieces,
  code,
  opens: code === "upstream_rejected_credentials",
});

/** The text of a healthy target. */
export const healthyPieces: readonly string[] = ["Héllo ", "wörld 🌍"];
/** The usage of a healthy target. */
export const healthyTokens: Tokens = { prompt: 10, completion: 5 };
/** More than the bounds of the prompt and of the output, but less than ten times the hold. */
export const aboveHold: Tokens = { prompt: 3_000, completion: 2_500 };
