import { afterAll, beforeAll, it } from "vitest";
import { MutantSessionStore } from "../../contract/mutant-session-store.ts";
import type { SessionMutations } from "../../contract/session-mutations.ts";
import { type WebhookTarget, webhookTarget } from "../../support/webhook-target.ts";
import { expectDetected } from "./expect-detected.ts";
import { columns } from "./faults.ts";
import { PortFault } from "./port-fault.ts";
import { memoryPorts, type Operation } from "./ports.ts";
import { quick } from "./scene.ts";
import { type Ask, answerNotes, runSessionCell } from "./session-cell.ts";
import { SessionScene } from "./session-scene.ts";

/** Mutations of a store that have an effect only during a fault, and a cell of the matrix that must detect each. */
const mutations: readonly (readonly [keyof SessionMutations, Operation, string])[] = [
  ["leaseEndless", "sessions.beginTurn", "stalls and then takes effect"],
  ["endRefusedWhenLapsed", "sessions.renewTurn", "fails before its effect"],
];

let target: WebhookTarget;
beforeAll(async () => {
  target = await webhookTarget();
  answerNotes(target);
});
afterAll(() => target.close());

async function run(mutations: SessionMutations, operation: Operation, name: string): Promise<object> {
  const column = columns.find((each) => each.name === name);
  if (column === undefined) throw new Error(`There is no fault "${name}".`);
  const sound = { ...memoryPorts(), sessions: new MutantSessionStore(mutations) };
  const fault = new PortFault(operation, column);
  const scene = new SessionScene(sound, fault.applyTo(sound), quick, target.host);
  const refused: readonly Ask[] = operation === "sessions.renewTurn" ? [] : ["turn", "stream"];
  return runSessionCell(scene, fault, quick, refused);
}

it.concurrent.each(mutations)(
  "the mutation %s is detected when %s %s",
  { timeout: 60_000 },
  async (mutation, operation, name) => {
    await run({}, operation, name);
    await expectDetected(() => run({ [mutation]: true }, operation, name));
  },
);
