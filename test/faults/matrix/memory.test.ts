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
  /** Whether requests must be refused without it. */
  readonly needed: boolean;
  /** The event of an outage. */
  readonly event?: Partial<GatewayEvent>;
}

const refusal = { type: "request.refused", code: "store_unavailable" } as const;

const rows: readonly Row[] = [
  { operation: "keys.find", needed: true, event: refusal },
  { operation: "terms.acceptance", needed: true, event: refusal },
  { operation: "limiter.countRequest", needed: true, event: refusal },
  { operation: "limiter.reserve", needed: true, event: refusal },
  { operation: "balances.hold", needed: true, event: refusal },
  { operation: "balances.settle", needed: false, event: { type: "settlement.delayed" } },
  { operation: "balances.release", needed: false, event: { type: "settlement.delayed" } },
  { operation: "balances.renew", needed: false, event: { type: "heartbeat.failed", part: "renew" } },
  { operation: "balances.expire", needed: false, event: { type: "heartbeat.failed", part: "sweep" } },
  { operation: "limiter.settle", needed: false },
  { operation: "limiter.renew", needed: false, event: { type: "heartbeat.failed", part: "limits" } },
];

/** Operations without a result, so that an invalid result has no effect. */
const withoutResult: readonly Operation[] = ["limiter.settle", "limiter.renew"];

const cases = rows.flatMap(({ operation, needed, event }) =>
  columns.map((column): Case => {
    const outage = column.outage && !(column.answer === "garbage" && withoutResult.includes(operation));
    const refused = outage && needed;
    return {
      name: `${operation} ${column.name}: requests are ${refused ? "refused" : "served"}, and the ledger is exact`,
      async run() {
        const sound = memoryPorts();
        const fault = new PortFault(operation, column);
        const scene = new Scene(sound, fault.applyTo(sound), quick);
        const figures = await runCell(scene, fault, refused ? "refused" : "served");
        const { events } = scene.tested;
        const kinds = expect.arrayContaining([expect.objectContaining(event ?? {})]);
        if (outage) expect(events).toEqual(kinds);
        else expect(events.filter(({ type }) => type === "heartbeat.failed")).toEqual([]);
        return figures;
      },
    };
  }),
);

inLanes("stores in memory under faults", cases, 40);
