/** Tokens as an upstream reports them. */
export interface Tokens {
  readonly prompt: number;
  readonly completion: number;
}

/** The client gets an error, and nobody pays. */
export interface Fails {
  readonly kind: "fails";
  readonly status: number;
  readonly code: string;
  /** How often the first target is asked, if nothing gets better. */
  readonly tries: number;
  /** Whether the next target is asked then. */
  readonly fallsBack: boolean;
  /** What `Retry-After` says; undefined: there is none. */
  readonly retryAfter: number | undefined;
  readonly message: string | undefined;
  readonly param: string | undefined;
  /** The first target is left alone from now on. */
  readonly opens: boolean;
  /** Milliseconds that lie between two tries at least. */
  readonly apartMs: number;
}

/** The client gets a whole answer from the first target, at the first try. */
export interface Answers {
  readonly kind: "answers";
  readonly pieces: readonly string[];
  /** Undefined: nothing believable was reported, so that it is estimated. */
  readonly tokens: Tokens | undefined;
  /** False where the gateway writes frames that the upstream never sent. */
  readonly sameFrames: boolean;
}

/** The client gets the beginning of an answer, and then an error frame; what was delivered is paid for. */
export interface BreaksOff {
  readonly kind: "breaks off";
  readonly pieces: readonly string[];
  readonly code: string;
  readonly opens: boolean;
}

/** What is to come of a row with one target. */
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

/** 400: the request has to change. */
export const rejected = (message?: string, param?: string): Fails =>
  fails(400, "invalid_request", { fallsBack: false, message, param });
/** 400: the prompt is too long, and the second target takes no longer one. */
export const tooLong = (message?: string): Fails =>
  fails(400, "context_length_exceeded", { fallsBack: false, message });
/** 413. */
export const tooLarge: Fails = fails(413, "payload_too_large", { fallsBack: false });
/** The host's own account; its target is left alone, but for a 403. */
export const credentials = (opens = true): Fails => fails(502, "upstream_rejected_credentials", { opens });
/** 5xx and the like. */
export const failed: Fails = fails(502, "upstream_failed", { tries: 3 });
/** Overloaded, with no wait asked for or a short one. */
export const overloaded = (details: Details = {}): Fails => fails(503, "upstream_overloaded", { tries: 3, ...details });
/** Never connected. */
export const unreachable: Fails = fails(503, "upstream_unavailable", { tries: 3 });
/** One of the limits. */
export const late = (fallsBack = true): Fails => fails(503, "upstream_timeout", { fallsBack });
/** 200, but no completion. */
export const invalid: Fails = fails(502, "upstream_invalid_response", { tries: 2 });

/** A whole answer of the healthy text. */
export const answers = (details: Partial<Omit<Answers, "kind">> = {}): Answers => ({
  kind: "answers",
  pieces: healthyPieces,
  tokens: healthyTokens,
  sameFrames: true,
  ...details,
});

/** The first piece of the healthy text, and then an error. */
export const breaksOff = (code: string, pieces: readonly string[] = healthyPieces.slice(0, 1)): BreaksOff => ({
  kind: "breaks off",
  pieces,
  code,
  opens: code === "upstream_rejected_credentials",
});

/** What a target says when nothing is wrong with it. */
export const healthyPieces: readonly string[] = ["Héllo ", "wörld 🌍"];
/** What it reports for it. */
export const healthyTokens: Tokens = { prompt: 10, completion: 5 };
/** More than the bounds of the prompt and of the output, and less than ten times the hold. */
export const aboveHold: Tokens = { prompt: 3_000, completion: 2_500 };
