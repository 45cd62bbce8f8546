import type { World } from "@tollgate/exact-money";

/** Where a gateway keeps its data. */
export type StoreAddress =
  | { readonly kind: "memory" }
  | { readonly kind: "sqlite"; readonly file: string }
  | { readonly kind: "postgres"; readonly url: string; readonly schema: string };

/** What a process of a gateway serves. */
export interface GatewayTask extends Omit<World, "needs"> {
  readonly store: StoreAddress;
  readonly port: number;
  /** The token of the management API. */
  readonly adminToken: string;
  readonly stripe: StripeAccess;
}

/** The stand-in for Stripe, by which the gateway sells credit. */
export interface StripeAccess {
  readonly port: number;
  readonly apiKey: string;
  readonly signingSecret: string;
}

/** What a process is told, after its task. */
export interface StepClock {
  /** By how many milliseconds its clock moves. */
  readonly stepClock: number;
}

/** What a process says when it serves requests, and when its clock has moved. */
export type Said = "ready" | "stepped";
