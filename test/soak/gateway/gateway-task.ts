import type { NewKey } from "@tollgate/core/store";

/** A mistake that can be seeded in a gateway, to check that the soak detects it. */
export type GatewayMutation = "aborted streams unsettled" | "requests remembered";

/** The task of a process that serves a gateway until it is drained. */
export interface GatewayTask {
  readonly postgres: string;
  readonly redis: string;
  /** The schema in PostgreSQL, and the prefix of the keys in Redis. */
  readonly schema: string;
  /** Whether the process migrates the schema first. */
  readonly migrate: boolean;
  /** The base URL of the upstream, which ends in `/v1`. */
  readonly upstream: string;
  readonly leaseMs: number;
  /** The timeout of a store. A long one, if a slow machine is no outage. */
  readonly storeTimeoutMs: number;
  readonly mutation?: GatewayMutation;
}

/** What a process is asked for. It drains on SIGTERM. */
export type GatewayQuestion =
  | { readonly kind: "sample" }
  | { readonly kind: "create key"; readonly wanted: NewKey }
  | { readonly kind: "revoke key"; readonly id: string }
  | { readonly kind: "credit"; readonly id: string; readonly account: string; readonly amount: bigint };

/** The state of a process. Bytes and counts. */
export interface Sample {
  /** After a forced collection. */
  readonly heapUsed: number;
  /** Sockets of clients. */
  readonly clients: number;
  /** All connected sockets, with those of stores and upstreams. */
  readonly sockets: number;
  readonly inFlight: number;
  /** How often each event was reported that tells of a problem. */
  readonly events: Readonly<Record<string, number>>;
  /** The ids of the notices that it reported. */
  readonly notices: readonly string[];
}

/** What a process says. */
export type GatewayMessage =
  | { readonly kind: "ready"; readonly port: number }
  | { readonly kind: "sample"; readonly sample: Sample }
  | { readonly kind: "key"; readonly id: string; readonly secret: string }
  | { readonly kind: "done" }
  /** After it, the process ends by itself, since nothing is open. */
  | { readonly kind: "drained"; readonly sample: Sample };

/** The events that no failure around a gateway explains. */
export const severeEvents = [
  "configuration.failed",
  "drain.incomplete",
  "ledger.conflict",
  "usage.dropped",
  "usage.implausible",
] as const;

/** The most connections of a gateway to its upstream, and to PostgreSQL. */
export const maxConnections = { upstream: 256, postgres: 8 } as const;
