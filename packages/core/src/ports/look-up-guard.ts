import type { ApiKey } from "./key-store.ts";

/** Who presents a key. */
export interface Client {
  /** Undefined when it is not known. */
  readonly clientAddress: string | undefined;
}

/** Decides whether a key that was not seen to be good within a day is looked up for a client. */
export interface LookUpGuard {
  /** Asks for the key, or throws a GatewayError instead. */
  lookUp(client: Client, ask: () => Promise<ApiKey | undefined>): Promise<ApiKey | undefined>;
  /** Throws the same GatewayError for a key that is known to be none, so that repeating it costs no look-up. */
  refuseGuess(client: Client): void;
}
