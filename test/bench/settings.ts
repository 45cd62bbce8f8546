import { parseArgs } from "node:util";
import { type ChatShapeName, chatShapeNames, isChatShapeName } from "./bodies/chat-shapes.ts";

/** How long and how often the bench measures. */
export interface Settings {
  /** Rounds of CPU time; in each, every contender has a fresh process, and they are loaded in slices by turns. */
  readonly rounds: number;
  /** Rounds of memory, of which the raw proxy takes one of two amounts by the process. */
  readonly memoryRounds: number;
  /** Rounds of latency. */
  readonly timingRounds: number;
  /** Rounds of the frameworks; none leaves them out. */
  readonly frameworkRounds: number;
  readonly warmUpRequests: number;
  /** Of streams, before frames are measured: V8 goes on optimizing what serves them for so long. */
  readonly warmUpStreamSeconds: number;
  readonly jsonSlices: number;
  /** Of one slice. */
  readonly jsonSeconds: number;
  /** Rounds of the shapes of requests, each with as many slices a shape. */
  readonly shapeRounds: number;
  readonly shapeSlices: number;
  /** Of each shape, after those that all contenders are warmed up with. */
  readonly shapeWarmUpRequests: number;
  /** The shapes of requests that are measured. */
  readonly shapes: readonly ChatShapeName[];
  readonly frameSlices: number;
  readonly frameWarmUpSeconds: number;
  /** Whole seconds: a stream takes one, so that each window has as many starts of streams as frames call for. */
  readonly frameSeconds: number;
  /** Open streams among which memory is shared out. */
  readonly idleStreams: number;
  /** Of requests at a fixed rate, long enough that a hundredth of them is no handful. */
  readonly rateSeconds: number;
  /** Clients that leave in each phase of a round. */
  readonly leavers: number;
  /** Rounds of the stores; none leaves them out. */
  readonly storeRounds: number;
  readonly storeSeconds: number;
  /** Rounds of requests with their balances in databases, and the slices of each contender under each load. */
  readonly durableRounds: number;
  readonly durableSlices: number;
  /** Of one slice. */
  readonly durableSeconds: number;
  /** Rounds of the webhooks, without a network. */
  readonly webhookRounds: number;
  readonly webhookSeconds: number;
  /** Rounds of routing, without a network. */
  readonly routingRounds: number;
  readonly routingSeconds: number;
  /** Rounds of a client in the process of the gateway. */
  readonly inProcessRounds: number;
  readonly inProcessSeconds: number;
  /** Rounds of the observer of OpenTelemetry, without a network. */
  readonly observerRounds: number;
  readonly observerSeconds: number;
  /** Rounds of the bodies that are dear to read, without a network. */
  readonly bodyRounds: number;
  /** Rounds of the recording of usage, without a network. */
  readonly usageRounds: number;
  /** Rows of usage in PostgreSQL; SQLite has a tenth of them. */
  readonly usageRows: number;
  /** Requests in the year of an account. */
  readonly accountRows: number;
  /** The one part that is measured; undefined: all are. */
  readonly alone:
    | "proxies"
    | "shapes"
    | "dialects"
    | "stores"
    | "durable"
    | "webhooks"
    | "routing"
    | "observer"
    | "in-process"
    | "bodies"
    | "usage"
    | "account"
    | "scaling"
    | undefined;
  /** Another checkout, whose router is measured beside this one. */
  readonly against: string | undefined;
  /** Gateways of others take part. */
  readonly peers: boolean;
  /** The figures of the proxies, or of the databases, are written into the documentation. */
  readonly docs: boolean;
  /** Where the figures are written as JSON. */
  readonly json: string | undefined;
}

const full = {
  rounds: 6,
  memoryRounds: 9,
  timingRounds: 3,
  frameworkRounds: 5,
  warmUpRequests: 30_000,
  warmUpStreamSeconds: 10,
  jsonSlices: 20,
  jsonSeconds: 0.3,
  shapeRounds: 5,
  shapeSlices: 12,
  shapeWarmUpRequests: 5_000,
  frameSlices: 3,
  frameWarmUpSeconds: 0.7,
  frameSeconds: 2,
  idleStreams: 1000,
  rateSeconds: 10,
  leavers: 8,
  storeRounds: 3,
  storeSeconds: 2,
  durableRounds: 3,
  durableSlices: 5,
  durableSeconds: 1,
  webhookRounds: 5,
  webhookSeconds: 1,
  routingRounds: 5,
  routingSeconds: 1,
  observerRounds: 5,
  observerSeconds: 1,
  inProcessRounds: 5,
  inProcessSeconds: 1,
  bodyRounds: 5,
  usageRounds: 5,
  usageRows: 10_000_000,
  accountRows: 500_000,
};

const quick = {
  rounds: 1,
  memoryRounds: 1,
  timingRounds: 1,
  frameworkRounds: 0,
  warmUpRequests: 3_000,
  warmUpStreamSeconds: 1,
  jsonSlices: 2,
  jsonSeconds: 0.25,
  shapeRounds: 1,
  shapeSlices: 8,
  shapeWarmUpRequests: 2_000,
  frameSlices: 1,
  frameWarmUpSeconds: 0.7,
  frameSeconds: 1,
  idleStreams: 400,
  rateSeconds: 1,
  leavers: 3,
  storeRounds: 1,
  storeSeconds: 1,
  durableRounds: 1,
  durableSlices: 1,
  durableSeconds: 0.5,
  webhookRounds: 1,
  webhookSeconds: 0.5,
  routingRounds: 1,
  routingSeconds: 0.5,
  observerRounds: 1,
  observerSeconds: 0.5,
  inProcessRounds: 1,
  inProcessSeconds: 1,
  bodyRounds: 1,
  usageRounds: 1,
  usageRows: 100_000,
  accountRows: 50_000,
};

/** Reads the settings from the command line, whose options README.md lists. Throws for one that is not there. */
export function readSettings(args: readonly string[]): Settings {
  const { values } = parseArgs({
    args: [...args],
    allowNegative: true,
    options: {
      quick: { type: "boolean", default: false },
      shapes: { type: "string" },
      against: { type: "string" },
      rounds: { type: "string" },
      dialects: { type: "boolean", default: false },
      stores: { type: "boolean", default: false },
      durable: { type: "boolean", default: false },
      webhooks: { type: "boolean", default: false },
      routing: { type: "boolean", default: false },
      observer: { type: "boolean", default: false },
      "in-process": { type: "boolean", default: false },
      bodies: { type: "boolean", default: false },
      usage: { type: "boolean", default: false },
      account: { type: "boolean", default: false },
      scaling: { type: "boolean", default: false },
      "usage-rows": { type: "string" },
      "account-rows": { type: "string" },
      proxies: { type: "boolean", default: false },
      peers: { type: "boolean", default: true },
      docs: { type: "boolean", default: false },
      json: { type: "string" },
    },
  });
  const { docs, peers, json, against } = values;
  const isOfShapes = values.shapes !== undefined || against !== undefined;
  const part = parts.find((name) => values[name]);
  const alone = isOfShapes ? "shapes" : part;
  const base = withRounds(values.quick ? quick : full, values.rounds);
  const usageRows = Number(values["usage-rows"] ?? base.usageRows);
  const accountRows = Number(values["account-rows"] ?? base.accountRows);
  return { ...base, usageRows, accountRows, shapes: readShapes(values.shapes), alone, against, peers, docs, json };
}

/** The settings with another number of rounds of CPU time, memory, latency, shapes, databases and frameworks. */
function withRounds(base: typeof full, rounds: string | undefined): typeof full {
  if (rounds === undefined) return base;
  const count = Number(rounds);
  const frameworkRounds = Math.min(base.frameworkRounds, count);
  const counts = { rounds: count, memoryRounds: count, timingRounds: count, shapeRounds: count, durableRounds: count };
  return { ...base, ...counts, frameworkRounds };
}

const parts = [
  "proxies",
  "dialects",
  "stores",
  "durable",
  "webhooks",
  "routing",
  "observer",
  "in-process",
  "bodies",
  "usage",
  "account",
  "scaling",
] as const satisfies Settings["alone"][];

function readShapes(list: string | undefined): readonly ChatShapeName[] {
  if (list === undefined || list === "all") return chatShapeNames;
  return list.split(",").map((name) => {
    if (isChatShapeName(name)) return name;
    throw new Error(`There is no shape "${name}"; there are ${chatShapeNames.join(", ")}.`);
  });
}
