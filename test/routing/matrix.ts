import type { Transport } from "@tollgate/core";
import type { PooledTransport } from "@tollgate/node";
import { afterAll, describe, it } from "vitest";
import { form } from "../faults/form.ts";
import { allPairs } from "../support/all-pairs.ts";
import type { askByFetch, askByOpenAI } from "./ask.ts";
import { checkCell } from "./check-cell.ts";
import { type Expectation, expectationOf } from "./expectation.ts";
import type { Row } from "./row.ts";
import { earlyErrors, lateErrors, unexpectedAnswers } from "./rows/answers.ts";
import { connections } from "./rows/connections.ts";
import { statuses } from "./rows/statuses.ts";
import { streams } from "./rows/streams.ts";
import { type Alternative, type Cell, openScene } from "./scene.ts";

/** All faults. */
export const rows: readonly Row[] = [
  ...statuses,
  ...connections,
  ...unexpectedAnswers,
  ...earlyErrors,
  ...lateErrors,
  ...streams,
];

/** A pass of the matrix: its faults, targets, client and transport. */
export interface Pass {
  readonly name: string;
  readonly rows: readonly Row[];
  readonly alternative: readonly Alternative[];
  readonly ask: typeof askByFetch | typeof askByOpenAI;
  /** Creates a transport for one cell. */
  readonly transport: () => Transport & Partial<PooledTransport>;
}

interface PlannedCell extends Cell {
  readonly pass: string;
  readonly title: string;
  readonly expected: Expectation;
}

/**
 * Registers the tests of one pass, and prints at the end how many there were. Over all passes together, each fault is tested
 * with each form, each alternative target and each client at least once; with FAULTS=long every combination is tested.
 */
export function runMatrix(pass: Pass, all: readonly Pass[]): void {
  const cells = cellsOf(pass);
  const chosen = form === "long" ? cells : selectPairs(all).filter((cell) => cell.pass === pass.name);
  let played = 0;
  describe.concurrent(pass.name, () => {
    it.each(chosen.map((cell) => [cell.title, cell] as const))("%s", { timeout: 30_000 }, async (_title, cell) => {
      await playCell(pass, cell);
      played += 1;
    });
    afterAll(() => {
      const tested = `${played} of ${chosen.length} tested combinations pass, of ${cells.length}`;
      console.info(`failure matrix, ${pass.name}: ${pass.rows.length} faults: ${tested}`);
    });
  });
}

const selectPairs = (all: readonly Pass[]): readonly PlannedCell[] =>
  allPairs(all.flatMap(cellsOf), (cell) => [cell.row.name, cell.form, cell.alternative, cell.pass]);

function cellsOf({ name: pass, rows: faults, alternative: targets }: Pass): PlannedCell[] {
  const forms = ["whole", "streamed"] as const;
  const cells = faults.flatMap((row) =>
    forms.flatMap((form) => targets.map((alternative) => ({ row, form, alternative }))),
  );
  return cells.flatMap((cell) => {
    const expected = expectationOf(cell);
    return expected === undefined
      ? []
      : [{ ...cell, pass, title: `${cell.row.name}, ${cell.form}, with ${cell.alternative}`, expected }];
  });
}

async function playCell({ ask, transport: makeTransport }: Pass, cell: PlannedCell): Promise<void> {
  const transport = makeTransport();
  const scene = await openScene(cell, transport);
  try {
    await checkCell(cell, scene, await ask(scene, cell.form), cell.expected);
    // `close` resolves only if every connection has been returned to the pool.
    await transport.close?.();
  } finally {
    await transport.destroy?.();
    await scene.close();
  }
}
