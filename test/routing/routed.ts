import type { GatewayOptions, ModelConfig, Target } from "@tollgate/core";
import type { ProviderAdapter } from "@tollgate/core/provider";
import { isChargedEnd } from "../support/end-events.ts";
import { type GatewayUnderTest, gatewayUnderTest } from "../support/gateway-under-test.ts";
import { allEvents } from "../support/read-stream.ts";

/** A target, or a provider whose model is called "up". */
export type Place = ProviderAdapter | Target;

/** What a client got. */
export interface Got {
  readonly status: number;
  /** The words of the answer. */
  readonly text: string;
  readonly attempts: string | null;
  /** The code of the error, in the body or in the last frame. */
  readonly code?: string;
  readonly response: Response;
}

/** A gateway whose model "plain" has these targets. */
export interface Routed extends GatewayUnderTest {
  /** Asks with a key of its own account and reads the answer. */
  ask(stream: boolean, body?: object, init?: RequestInit): Promise<Got>;
  /** What was reported of this type, in its order. */
  told(type: string): readonly object[];
  /** The ends of the requests that were charged, in their order. */
  ends(): readonly object[];
}

/** Makes one; retries wait 1 ms at most unless the options say otherwise. */
export function routed(
  places: readonly Place[],
  options: Partial<GatewayOptions> = {},
  model: Partial<ModelConfig> = {},
): Routed {
  const targets = places.map((place) => ("provider" in place ? place : { provider: place, model: "up" }));
  const tested = gatewayUnderTest({
    models: [
      {
        id: "plain",
        maxOutputTokens: 1_000,
        contextWindow: 8_000,
        price: { input: "1", output: "2" },
        targets,
        ...model,
      },
    ],
    ...options,
    routing: { backoffMs: 1, ...options.routing },
  });
  const secret = tested.key();
  return {
    ...tested,
    ask: async (stream, body = {}, init = {}) => read(await tested.chat(await secret, { stream, ...body }, init)),
    told: (type) => tested.events.filter((event) => event.type === type),
    ends: () => tested.events.filter(isChargedEnd),
  };
}

/** Reads an answer of either kind. */
export async function read(response: Response): Promise<Got> {
  const isStream = response.headers.get("content-type")?.startsWith("text/event-stream") ?? false;
  const bodies = isStream ? await framesOf(response) : [await response.json()];
  const choices = bodies.flatMap((body) => body.choices ?? []);
  return {
    status: response.status,
    text: choices.map((choice) => (choice.message ?? choice.delta)?.content ?? "").join(""),
    attempts: response.headers.get("x-router-attempts"),
    ...(bodies.at(-1)?.error === undefined ? {} : { code: bodies.at(-1)?.error.code }),
    response,
  };
}

/** The frames of a stream that hold data. */
export async function framesOf(response: Response) {
  const events = await allEvents(response);
  return events.filter((event) => event.startsWith("{")).map((event) => JSON.parse(event));
}
