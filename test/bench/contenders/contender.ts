import type { Server } from "node:http";

/** What a contender's process serves, not yet listening. */
export interface Contender {
  readonly server: Server;
  /** The bearer key that it wants, where it checks keys. */
  readonly apiKey?: string;
  /** Keys of more accounts, the first of which is the same. */
  readonly apiKeys?: readonly string[];
}

/** Makes a contender that asks the mock provider at a port. */
export type BuildContender = (upstreamPort: number) => Contender | Promise<Contender>;
