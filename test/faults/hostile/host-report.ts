import type { AttackedOptions } from "./attacked-gateway.ts";

/** The task of a process with gateways under attack. */
export interface HostTask {
  readonly upstreamUrl: string;
  /** The names of the mounts, of which each gets a server and a gateway of its own. */
  readonly mounts: readonly string[];
  readonly options: AttackedOptions;
}

/** The keys of hostile clients and of all others. */
export interface Secrets {
  readonly hostile: string;
  readonly steady: string;
}

/** The token of an operator of every dashboard. */
export const operatorToken = "operator-token-0123456789";

/** Where a mount listens, and the keys of its gateway. */
export interface MountAddress extends Secrets {
  readonly port: number;
}

/** The requests and the money of a gateway. All but the charges are zero when nothing runs and nothing was lost. */
export interface Books {
  /** Requests that run, by the gateway's counter and by its events. */
  readonly running: number;
  /** Holds of running requests, and settlements that wait. */
  readonly holds: number;
  /** Held nano-units, as a decimal string. */
  readonly held: string;
  /** The balance without the sum of its entries, as a decimal string. */
  readonly unexplained: string;
  readonly problems: readonly string[];
  readonly charges: number;
}

/** The state of a mount and of its process. */
export interface HostReport {
  readonly books: Books;
  /** Open connections of the mount's clients. */
  readonly connections: number;
  /** Sockets of the process, of clients and upstreams. */
  readonly sockets: number;
  /** Bytes of physical memory, after a garbage collection and at its highest since the process started. */
  readonly rss: number;
  readonly peakRss: number;
  /** Members that the prototypes of objects and arrays did not have at the start. */
  readonly polluted: readonly string[];
  /** Warnings of Node, such as a leak of listeners. */
  readonly warnings: readonly string[];
}
