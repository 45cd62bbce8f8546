import { alternate, type Rounds } from "../rounds.ts";
import { measureRendering } from "./rendering.ts";
import { measureTurn } from "./turn-overhead.ts";

/** A kind of work that webhooks make. */
export type WebhookWork = "rendering" | "turn";

/** Microseconds that each kind of work takes once. */
export interface WebhookResults {
  readonly webhooks: Rounds<WebhookWork, number>;
}

const measures: Readonly<Record<WebhookWork, (seconds: number) => number | Promise<number>>> = {
  rendering: measureRendering,
  turn: measureTurn,
};

const works: readonly WebhookWork[] = ["rendering", "turn"];

/** Measures every kind of work in turn, in this process. */
export async function measureWebhooks(rounds: number, seconds: number): Promise<WebhookResults> {
  return { webhooks: await alternate(works, rounds, async (work) => measures[work](seconds)) };
}
