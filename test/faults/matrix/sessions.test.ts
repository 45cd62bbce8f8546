import { afterAll, beforeAll } from "vitest";
import { type WebhookTarget, webhookTarget } from "../../support/webhook-target.ts";
import { columns } from "./faults.ts";
import { type Case, inLanes } from "./lanes.ts";
import { PortFault } from "./port-fault.ts";
import { memoryPorts, type Operation } from "./ports.ts";
import { quick } from "./scene.ts";
import { type Ask, answerNotes, runSessionCell } from "./session-cell.ts";
import { SessionScene } from "./session-scene.ts";

/** Each operation of a session store, and the requests that need it. */
const rows: readonly (readonly [Operation, readonly Ask[]])[] = [
  ["sessions.create", ["create"]],
  ["sessions.find", ["find", "turn", "stream"]],
  ["sessions.merge", ["merge", "turn", "stream"]],
  ["sessions.beginTurn", ["turn", "stream"]],
  ["sessions.renewTurn", []],
  ["sessions.endTurn", ["turn", "stream"]],
  ["sessions.appendLog", ["turn", "stream"]],
  ["sessions.messages", ["messages"]],
  ["sessions.logs", ["logs"]],
  ["sessions.delete", ["delete"]],
  ["sessions.expire", []],
];

let target: WebhookTarget;
beforeAll(async () => {
  target = await webhookTarget();
  answerNotes(target);
});
afterAll(() => target.close());

const cases = rows.flatMap(([operation, needing]) =>
  columns.map((column): Case => {
    const refused = column.outage ? needing : [];
    return {
      name: `${operation} ${column.name}: ${refused.join(", ") || "nothing"} is refused, and sessions are unlocked and complete`,
      async run() {
        const sound = memoryPorts();
        const fault = new PortFault(operation, column);
        const scene = new SessionScene(sound, fault.applyTo(sound), quick, target.host);
        return runSessionCell(scene, fault, quick, refused);
      },
    };
  }),
);

inLanes("session stores in memory under faults", cases, 40);
