import { type Answers, type BreaksOff, type Fails, healthyPieces, healthyTokens, type Tokens } from "./outcome.ts";
import { type Beside, type Cell, prices, secondPieces, secondTokens } from "./scene.ts";
import { type FrameSource, first, second } from "./upstream-frames.ts";

/** Who is paid how much: by tokens, or by what an estimate makes of the output. */
export interface Charge {
  readonly price: { readonly input: bigint; readonly output: bigint };
  /** Undefined: they are estimated. */
  readonly tokens: Tokens | undefined;
}

/** What is to come of one cell. */
export interface Expectation {
  readonly seen:
    | Fails
    | BreaksOff
    | (Pick<Answers, "kind" | "pieces" | "sameFrames"> & { readonly source: FrameSource });
  /** Attempts, those included that reached nobody. */
  readonly attempts: number;
  readonly failures: number;
  /** Requests that the first and the second target receive. */
  readonly received: readonly [first: number, second: number];
  readonly charge: Charge | undefined;
  readonly opens: boolean;
  readonly apartMs: number;
}

/** Reads the table: what a cell's row says of one target, carried over to what is beside it. */
export function expectationOf({ row, form, beside }: Cell): Expectation | undefined {
  const outcome = row[form];
  if (outcome === undefined) return undefined;
  if (outcome.kind !== "fails") return oneAttempt(outcome);
  if (beside === "the same target, recovered" && row.at !== undefined) return undefined;
  return row.at === undefined
    ? ofFailure(outcome, beside)
    : { ...ofFailure(outcome, beside), received: [0, beside.startsWith("a ") ? 1 : 0] };
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

function ofFailure(outcome: Fails, beside: Beside): Expectation {
  const { tries, opens, apartMs } = outcome;
  const alone = { attempts: tries, failures: tries, received: [tries, 0], charge: undefined, opens, apartMs } as const;
  if (beside === "the same target, recovered" && tries > 1) {
    const charge = { price: prices.first, tokens: healthyTokens };
    return { ...alone, seen: said(first, healthyPieces), attempts: 2, failures: 1, received: [2, 0], charge };
  }
  const fits = beside === "a roomier target" && outcome.code === "context_length_exceeded";
  if (!beside.startsWith("a ") || !(outcome.fallsBack || fits)) return { ...alone, seen: outcome };
  const further = { ...alone, attempts: tries + 1, received: [tries, 1] } as const;
  if (beside === "a broken target") return { ...further, seen: brokenTarget(outcome), failures: tries + 1 };
  const charge = { price: prices.second, tokens: secondTokens };
  return { ...further, seen: said(second, secondPieces), charge };
}

/** It asks to be left alone for 30 seconds. */
const brokenTarget = (outcome: Fails): Fails => ({
  ...outcome,
  status: 503,
  code: "upstream_overloaded",
  retryAfter: 30,
  message: undefined,
  param: undefined,
});

const said = (source: FrameSource, pieces: readonly string[]) =>
  ({ kind: "answers", source, pieces, sameFrames: true }) as const;
