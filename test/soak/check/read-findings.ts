import type { GatewayChild } from "../gateway/gateway-child.ts";
import type { SoakRecord } from "../load/soak-call.ts";
import type { SoakRun } from "../run-soak.ts";
import { compareBooks } from "./books.ts";
import { rangeOf } from "./check-charges.ts";
import { checkHeap, slopeOf } from "./heap-slope.ts";

/** What the stores show after a soak. */
export interface Findings {
  readonly violations: readonly string[];
  readonly figures: Readonly<Record<string, number | bigint | string>>;
}

/** Compares the books of a soak, and the heap of the process that lived through. */
export async function readFindings(run: SoakRun, heapFloorBytes: number): Promise<Findings> {
  const { scene, heap, load, survivor, killed } = run;
  const unsettledFrom = new Map(killed.map((child) => [child.name, unsettledSince(run, child)]));
  const { violations, evidence, sums, rows } = await compareBooks({
    stores: scene.stores,
    customers: scene.customers,
    records: load.records,
    sent: scene.upstream.sent,
    isUnsettled: (record) => record.endedAt + usageDrainMs(record) >= (unsettledFrom.get(record.gateway) ?? Infinity),
    losing: new Set(killed.filter(({ ended }) => ended?.killed).map(({ name }) => name)),
  });
  const { bytesPerRequest, standardError } = slopeOf(heap);
  const figures = {
    ledger: sums.ledger,
    "upstream's count": sums.upstream,
    difference: sums.ledger - sums.upstream,
    bound: sums.bound,
    "requests with a range": evidence.map(rangeOf).filter(({ least, most }) => least !== most).length,
    "unsettled at a kill": evidence.filter(({ unsettled }) => unsettled).length,
    "usage rows": rows,
    "requests of the survivor": load.records.filter(({ gateway }) => gateway === survivor.name).length,
    "heap bytes": heap.at(-1)?.bytes ?? 0,
    "heap slope": `${bytesPerRequest.toFixed(1)} ± ${standardError.toFixed(1)} bytes per request`,
  };
  return { violations: [...violations, ...checkHeap(heap, heapFloorBytes)], figures };
}

/** A settlement takes this long at most, when the store answers. */
const settlingMs = 1_000;

/** The time since which answers may be unsettled when their process is killed. Undefined: it was not killed. */
function unsettledSince({ outages }: SoakRun, { ended }: GatewayChild): number | undefined {
  if (ended?.killed !== true) return undefined;
  // A settlement is retried within 5 s after an outage.
  const outage = outages.find(({ from, to }) => from < ended.at && ended.at < to + 6_000);
  return (outage?.from ?? ended.at) - settlingMs;
}

/** How long a gateway may go on with a request after its client has left: until the upstream's time limit. */
const usageDrainMs = ({ outcome }: SoakRecord): number => (outcome.kind === "whole" ? 0 : 10_000);
