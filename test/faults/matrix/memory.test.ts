import type { GatewayEvent } from "@tollgate/core";
import { expect } from "vitest";
import { runCell } from "./cell.ts";
import { columns } from "./faults.ts";
import { type Case, inLanes } from "./lanes.ts";
import { PortFault } from "./port-fault.ts";
import { memoryPorts, type Operation } from "./ports.ts";
import { quick, Scene } from "./scene.ts";

/** A row of the matrix. */
interface Row {
  readonly operation: Operation;
  /** Without it no request may go on. */
  readonly needed: boolean;
  /** What the host is told of an outage. */
  readonly told?: Partial<GatewayEvent>;
}

const refusal = { type: "request.refused", code: "store_unavailable" } as const;

const rows: readonly Row[] = [
  { operation: "keys.find", needed: true, told: refusal },
  { operation: "terms.acceptance", needed: true, told: refusal },
  { operation: "limiter.countRequest", needed: true, told: refusal },
  { operation: "limiter.reserve", needed: true, told: refusal },
  { operation: "balances.hold", needed: true, told: refusal },
  { operation: "balances.settle", needed: false, told: { type: "settlement.delayed" } },
  { operation: "balances.release", needed: false, told: { type: "settlement.delayed" } },
  { operation: "balances.renew", needed: false, told: { type: "heartbeat.failed", part: "renew" } },
  { operation: "balances.expire", needed: false, told: { type: "heartbeat.failed", part: "sweep" } },
  { operation: "limiter.settle", needed: false },
  { operation: "limiter.renew", needed: false, told: { type: "heartbeat.failed", part: "limits" } },
];

/** Their answer is empty, so that whatever comes in its place says as much. */
const answerNothing: readonly Operation[] = ["limiter.settle", "limiter.renew"];

const cases = rows.flatMap(({ operation, needed, told }) =>
  columns.map((column): Case => {
    const outage = column.outage && !(column.answer === "garbage" && answerNothing.includes(operation));
    const refused = outage && needed;
    return {
      name: `${operation} ${column.name}: requests are ${refused ? "refused" : "served"}, and the books are exact`,
      async run() {
        const sound = memoryPorts();
        const fault = new PortFault(operation, column);
        const scene = new Scene(sound, fault.befall(sound), quick);
        const figures = await runCell(scene, fault, refused ? "refused" : "served");
        const { events } = scene.tested;
        const kinds = expect.arrayContaining([expect.objectContaining(told ?? {})]);
        if (outage) expect(events).toEqual(kinds);
        else expect(events.filter(({ type }) => type === "heartbeat.failed")).toEqual([]);
        return figures;
      },
    };
  }),
);

inLanes("stores in memory under faults", cases, 40);
