import { afterAll, beforeAll, it } from "vitest";
import { BreakableSessionStore } from "../../contract/breakable-session-store.ts";
import type { SessionFlaws } from "../../contract/session-flaws.ts";
import { type WebhookTarget, webhookTarget } from "../../support/webhook-target.ts";
import { expectNoticed } from "./expect-noticed.ts";
import { columns } from "./faults.ts";
import { PortFault } from "./port-fault.ts";
import { memoryPorts, type Operation } from "./ports.ts";
import { quick } from "./scene.ts";
import { type Ask, answerNotes, runSessionCell } from "./session-cell.ts";
import { SessionScene } from "./session-scene.ts";

/** Mistakes of a store that show when something fails, and a cell of the matrix that must notice each. */
const mistakes: readonly (readonly [keyof SessionFlaws, Operation, string])[] = [
  ["leaseEndless", "sessions.beginTurn", "stalls and then takes effect"],
  ["endRefusedWhenLapsed", "sessions.renewTurn", "fails before its effect"],
];

let target: WebhookTarget;
beforeAll(async () => {
  target = await webhookTarget();
  answerNotes(target);
});
afterAll(() => target.close());

async function run(flaws: SessionFlaws, operation: Operation, name: string): Promise<object> {
  const column = columns.find((each) => each.name === name);
  if (column === undefined) throw new Error(`There is no fault "${name}".`);
  const sound = { ...memoryPorts(), sessions: new BreakableSessionStore(flaws) };
  const fault = new PortFault(operation, column);
  const scene = new SessionScene(sound, fault.befall(sound), quick, target.host);
  const refused: readonly Ask[] = operation === "sessions.renewTurn" ? [] : ["turn", "stream"];
  return runSessionCell(scene, fault, quick, refused);
}

it.concurrent.each(mistakes)(
  "the mistake %s is noticed when %s %s",
  { timeout: 60_000 },
  async (flaw, operation, name) => {
    await run({}, operation, name);
    await expectNoticed(() => run({ [flaw]: true }, operation, name));
  },
);
