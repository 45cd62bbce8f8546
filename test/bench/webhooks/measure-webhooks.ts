import { alternate, type Rounds } from "../rounds.ts";
import { measureRendering } from "./rendering.ts";

/** A kind of work that webhooks make. */
export type WebhookWork = "rendering";

/** Microseconds of CPU time that each kind of work takes once. */
export interface WebhookResults {
  readonly webhooks: Rounds<WebhookWork, number>;
}

const measures: Readonly<Record<WebhookWork, (seconds: number) => number | Promise<number>>> = {
  rendering: measureRendering,
};

const works: readonly WebhookWork[] = ["rendering"];

/** Measures every kind of work in turn, in this process. */
export async function measureWebhooks(rounds: number, seconds: number): Promise<WebhookResults> {
  return { webhooks: await alternate(works, rounds, async (work) => measures[work](seconds)) };
}
