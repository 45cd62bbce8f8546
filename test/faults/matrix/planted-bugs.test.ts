import { it } from "vitest";
import { BreakableBalanceStore, type Flaws } from "../../contract/breakable-balance-store.ts";
import { runCell } from "./cell.ts";
import { expectNoticed } from "./expect-noticed.ts";
import { columns } from "./faults.ts";
import { PortFault } from "./port-fault.ts";
import { memoryPorts, type Operation } from "./ports.ts";
import { type Figures, quick, Scene } from "./scene.ts";

/** Mistakes of a store that show only when something fails, and a cell of the matrix that must notice each. */
const mistakes: readonly (readonly [keyof Flaws, Operation, string])[] = [
  ["settleTwice", "balances.settle", "fails after its effect"],
  ["releaseInAnyState", "balances.release", "fails after its effect"],
  ["lateInFull", "balances.renew", "fails before its effect"],
  ["lateRefused", "balances.renew", "fails before its effect"],
  ["expiryKeepsHold", "balances.renew", "fails before its effect"],
];

async function run(flaws: Flaws, operation: Operation, name: string): Promise<Figures> {
  const column = columns.find((each) => each.name === name);
  if (column === undefined) throw new Error(`There is no fault "${name}".`);
  const sound = { ...memoryPorts(), balances: new BreakableBalanceStore(flaws) };
  const fault = new PortFault(operation, column);
  return runCell(new Scene(sound, fault.befall(sound), quick), fault, "served");
}

it.concurrent.each(mistakes)(
  "the mistake %s is noticed when %s %s",
  { timeout: 60_000 },
  async (flaw, operation, name) => {
    await run({}, operation, name);
    await expectNoticed(() => run({ [flaw]: true }, operation, name));
  },
);
