import type { JournalLine } from "./journal.ts";

type Of<Did extends JournalLine["did"]> = Extract<JournalLine, { readonly did: Did }>;

/** What is known of one hold that the store has acknowledged. */
export interface HoldEvidence extends Omit<Of<"hold">, "amount"> {
  readonly amount: bigint;
  readonly settles: readonly Of<"settle">[];
  readonly releases: readonly Of<"release">[];
  /** What the stand-in sent for the request. */
  readonly sent: Of<"send"> | undefined;
}

/** What the processes of a proof saw. */
export interface Evidence {
  readonly holds: ReadonlyMap<string, HoldEvidence>;
  /** The acknowledged credits, each as often as it was acknowledged. */
  readonly credits: readonly Of<"credit">[];
  readonly answers: readonly Answer[];
  readonly refusals: number;
}

/** A whole answer that a client received. */
export interface Answer {
  readonly requestId: string;
  /** True if its process was killed before its settlement must have been acknowledged. */
  readonly wasCut: boolean;
}

/** A settlement that was not acknowledged is repeated for less than this time. */
const settlingMs = 10_000;

/** Collects what is in the journals of all processes. */
export function collectEvidence(journals: readonly (readonly JournalLine[])[]): Evidence {
  const lines = journals.flat();
  const settles = groupById(linesOf(lines, "settle"));
  const releases = groupById(linesOf(lines, "release"));
  const sends = new Map(linesOf(lines, "send").map((line) => [line.requestId, line]));
  const holds = linesOf(lines, "hold").map((hold): [string, HoldEvidence] => [
    hold.id,
    {
      ...hold,
      amount: BigInt(hold.amount),
      settles: settles.get(hold.id) ?? [],
      releases: releases.get(hold.id) ?? [],
      sent: sends.get(hold.receipt.requestId),
    },
  ]);
  return {
    holds: new Map(holds),
    credits: linesOf(lines, "credit"),
    answers: journals.flatMap(answersIn),
    refusals: linesOf(lines, "refuse").length,
  };
}

function answersIn(journal: readonly JournalLine[]): readonly Answer[] {
  const last = journal.at(-1);
  const cutFrom = last === undefined || last.did === "drain" ? Number.POSITIVE_INFINITY : last.at - settlingMs;
  return linesOf(journal, "answer").map(({ requestId, at }) => ({ requestId, wasCut: at >= cutFrom }));
}

const linesOf = <Did extends JournalLine["did"]>(lines: readonly JournalLine[], did: Did): readonly Of<Did>[] =>
  lines.filter((line): line is Of<Did> => line.did === did);

function groupById<Line extends { readonly id: string }>(lines: readonly Line[]): ReadonlyMap<string, readonly Line[]> {
  const groups = new Map<string, Line[]>();
  for (const line of lines) groups.set(line.id, [...(groups.get(line.id) ?? []), line]);
  return groups;
}
