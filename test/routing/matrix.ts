import type { Transport } from "@tollgate/core";
import type { PooledTransport } from "@tollgate/node";
import { afterAll, describe, it } from "vitest";
import { form } from "../faults/form.ts";
import { allPairs } from "../support/all-pairs.ts";
import type { askByFetch, askByOpenAI } from "./ask.ts";
import { checkCell } from "./check-cell.ts";
import { type Expectation, expectationOf } from "./expectation.ts";
import type { Row } from "./row.ts";
import { earlyErrors, lateErrors, oddAnswers } from "./rows/answers.ts";
import { connections } from "./rows/connections.ts";
import { statuses } from "./rows/statuses.ts";
import { streams } from "./rows/streams.ts";
import { type Beside, type Cell, openScene } from "./scene.ts";

/** Every fault that is known. */
export const rows: readonly Row[] = [
  ...statuses,
  ...connections,
  ...oddAnswers,
  ...earlyErrors,
  ...lateErrors,
  ...streams,
];

/** What one pass of the matrix goes through. */
export interface Pass {
  readonly name: string;
  readonly rows: readonly Row[];
  readonly beside: readonly Beside[];
  readonly ask: typeof askByFetch | typeof askByOpenAI;
  /** A transport for one cell. */
  readonly transport: () => Transport & Partial<PooledTransport>;
}

interface Planned extends Cell {
  readonly pass: string;
  readonly title: string;
  readonly expected: Expectation;
}

/**
 * Registers the tests of one pass, and prints at the end how many there were. Over all passes together each fault meets
 * each form, each target beside it and each client at least once; with FAULTS=long every combination is tested.
 */
export function runMatrix(pass: Pass, all: readonly Pass[]): void {
  const cells = planned(pass);
  const chosen = form === "long" ? cells : sharedOut(all).filter((cell) => cell.pass === pass.name);
  let played = 0;
  describe.concurrent(pass.name, () => {
    it.each(chosen.map((cell) => [cell.title, cell] as const))("%s", { timeout: 30_000 }, async (_title, cell) => {
      await playCell(pass, cell);
      played += 1;
    });
    afterAll(() => {
      const tested = `${played} of ${chosen.length} tested combinations hold, of ${cells.length}`;
      console.info(`failure matrix, ${pass.name}: ${pass.rows.length} faults: ${tested}`);
    });
  });
}

const sharedOut = (all: readonly Pass[]): readonly Planned[] =>
  allPairs(all.flatMap(planned), (cell) => [cell.row.name, cell.form, cell.beside, cell.pass]);

function planned({ name: pass, rows: wanted, beside: targets }: Pass): Planned[] {
  const forms = ["whole", "streamed"] as const;
  const cells = wanted.flatMap((row) => forms.flatMap((form) => targets.map((beside) => ({ row, form, beside }))));
  return cells.flatMap((cell) => {
    const expected = expectationOf(cell);
    return expected === undefined
      ? []
      : [{ ...cell, pass, title: `${cell.row.name}, ${cell.form}, beside ${cell.beside}`, expected }];
  });
}

async function playCell({ ask, transport: makeTransport }: Pass, cell: Planned): Promise<void> {
  const transport = makeTransport();
  const scene = await openScene(cell, transport);
  try {
    await checkCell(cell, scene, await ask(scene, cell.form), cell.expected);
    // It closes when every connection has been given back.
    await transport.close?.();
  } finally {
    await transport.destroy?.();
    await scene.close();
  }
}
