import type { Transport } from "@tollgate/core";
import type { PooledTransport } from "@tollgate/node";
import { afterAll, describe, it } from "vitest";
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
  readonly title: string;
  readonly expected: Expectation;
}

/** Registers a test for each cell of a pass, and says at the end how many there were. */
export function runMatrix(pass: Pass): void {
  const cells = planned(pass);
  let played = 0;
  describe.concurrent(pass.name, () => {
    it.each(cells.map((cell) => [cell.title, cell] as const))("%s", { timeout: 30_000 }, async (_title, cell) => {
      await playCell(pass, cell);
      played += 1;
    });
    afterAll(() => {
      const forms = new Set(cells.map(({ form }) => form)).size;
      const size = `${pass.rows.length} rows x ${forms} forms x ${pass.beside.length} targets`;
      console.info(`failure matrix, ${pass.name}: ${size}: ${played} of ${cells.length} cells hold`);
    });
  });
}

function planned({ rows: wanted, beside: targets }: Pass): Planned[] {
  const forms = ["whole", "streamed"] as const;
  const cells = wanted.flatMap((row) => forms.flatMap((form) => targets.map((beside) => ({ row, form, beside }))));
  return cells.flatMap((cell) => {
    const expected = expectationOf(cell);
    return expected === undefined
      ? []
      : [{ ...cell, title: `${cell.row.name}, ${cell.form}, beside ${cell.beside}`, expected }];
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
