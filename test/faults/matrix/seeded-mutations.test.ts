import { it } from "vitest";
import { type BalanceMutations, MutantBalanceStore } from "../../contract/mutant-balance-store.ts";
import { runCell } from "./cell.ts";
import { expectDetected } from "./expect-detected.ts";
import { columns } from "./faults.ts";
import { PortFault } from "./port-fault.ts";
import { memoryPorts, type Operation } from "./ports.ts";
import { type Figures, quick, Scene } from "./scene.ts";

/** Mutations of a store that have an effect only during a fault, and a cell of the matrix that must detect each. */
const mutations: readonly (readonly [keyof BalanceMutations, Operation, string])[] = [
  ["settleTwice", "balances.settle", "fails after its effect"],
  ["releaseInAnyState", "balances.release", "fails after its effect"],
  ["lateInFull", "balances.renew", "fails before its effect"],
  ["lateRefused", "balances.renew", "fails before its effect"],
  ["expiryKeepsHold", "balances.renew", "fails before its effect"],
];

async function run(mutations: BalanceMutations, operation: Operation, name: string): Promise<Figures> {
  const column = columns.find((each) => each.name === name);
  if (column === undefined) throw new Error(`There is no fault "${name}".`);
  const sound = { ...memoryPorts(), balances: new MutantBalanceStore(mutations) };
  const fault = new PortFault(operation, column);
  return runCell(new Scene(sound, fault.applyTo(sound), quick), fault, "served");
}

it.concurrent.each(mutations)(
  "the mutation %s is detected when %s %s",
  { timeout: 60_000 },
  async (mutation, operation, name) => {
    await run({}, operation, name);
    await expectDetected(() => run({ [mutation]: true }, operation, name));
  },
);
