import { type Answers, type BreaksOff, type Fails, healthyPieces, healthyTokens, type Tokens } from "./outcome.ts";
import { type Alternative, type Cell, prices, secondPieces, secondTokens } from "./scene.ts";
import { type FrameSource, first, second } from "./upstream-frames.ts";

/** The expected charge, by reported tokens or by an estimate. */
export interface Charge {
  readonly price: { readonly input: bigint; readonly output: bigint };
  /** Undefined if they are estimated. */
  readonly tokens: Tokens | undefined;
}

/** The expected result of one cell. */
export interface Expectation {
  readonly seen:
    | Fails
    | BreaksOff
    | (Pick<Answers, "kind" | "pieces" | "sameFrames"> & { readonly source: FrameSource });
  /** The number of attempts, including those that reached no server. */
  readonly attempts: number;
  readonly failures: number;
  /** The number of requests that the first and the second target receive. */
  readonly received: readonly [first: number, second: number];
  readonly charge: Charge | undefined;
  readonly opens: boolean;
  readonly apartMs: number;
}

/** Derives the expectation for a cell from its row, which describes a single target, and the alternative target. */
export function expectationOf({ row, form, alternative }: Cell): Expectation | undefined {
  const outcome = row[form];
  if (outcome === undefined) return undefined;
  if (outcome.kind !== "fails") return oneAttempt(outcome);
  if (alternative === "the same target, recovered" && row.at !== undefined) return undefined;
  return row.at === undefined
    ? ofFailure(outcome, alternative)
    : { ...ofFailure(outcome, alternative), received: [0, alternative.startsWith("a ") ? 1 : 0] };
}

function oneAttempt(outcome: Answers | BreaksOff): Expectation {
  const isWhole = outcome.kind === "answers";
  return {
    seen: isWhole ? { ...outcome, source: first } : outcome,
    attempts: 1,
    failures: isWhole ? 0 : 1,
    received: [1, 0],
    charge: { price: prices.first, tokens: isWhole ? outcome.tokens : undefined },
    opens: !isWhole && outcome.opens,
    apartMs: 0,
  };
}

function ofFailure(outcome: Fails, alternative: Alternative): Expectation {
  const { tries, opens, apartMs } = outcome;
  const withoutFailover = {
    attempts: tries,
    failures: tries,
    received: [tries, 0],
    charge: undefined,
    opens,
    apartMs,
  } as const;
  if (alternative === "the same target, recovered" && tries > 1) {
    const charge = { price: prices.first, tokens: healthyTokens };
    return {
      ...withoutFailover,
      seen: answerOf(first, healthyPieces),
      attempts: 2,
      failures: 1,
      received: [2, 0],
      charge,
    };
  }
  const fits = alternative === "a target with a larger window" && outcome.code === "context_length_exceeded";
  if (!alternative.startsWith("a ") || !(outcome.fallsBack || fits)) return { ...withoutFailover, seen: outcome };
  const failover = { ...withoutFailover, attempts: tries + 1, received: [tries, 1] } as const;
  if (alternative === "a broken target") return { ...failover, seen: brokenTarget(outcome), failures: tries + 1 };
  const charge = { price: prices.second, tokens: secondTokens };
  return { ...failover, seen: answerOf(second, secondPieces), charge };
}

/** The broken target answers with Retry-After: 30. */
const brokenTarget = (outcome: Fails): Fails => ({
  ...outcome,
  status: 503,
  code: "upstream_overloaded",
  retryAfter: 30,
  message: undefined,
  param: undefined,
});

const answerOf = (source: FrameSource, pieces: readonly string[]) =>
  ({ kind: "answers", source, pieces, sameFrames: true }) as const;
