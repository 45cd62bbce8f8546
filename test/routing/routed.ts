import type { ChatModelConfig, GatewayOptions, Target } from "@tollgate/core";
import type { ProviderAdapter } from "@tollgate/core/provider";
import { isChargedEnd } from "../support/end-events.ts";
import { type GatewayUnderTest, gatewayUnderTest } from "../support/gateway-under-test.ts";
import { allEvents } from "../support/read-stream.ts";

/** A target, or a provider, whose model is then called "up". */
export type TargetOrProvider = ProviderAdapter | Target;

/** The response that a client received. */
export interface RoutedResponse {
  readonly status: number;
  /** The text of the answer. */
  readonly text: string;
  readonly attempts: string | null;
  /** The error code in the body or in the last frame. */
  readonly code?: string;
  readonly response: Response;
}

/** A gateway whose model "plain" has these targets. */
export interface Routed extends GatewayUnderTest {
  /** Sends a completion request and reads the response. */
  ask(stream: boolean, body?: object, init?: RequestInit): Promise<RoutedResponse>;
  /** Returns the events of this type, in order. */
  reported(type: string): readonly object[];
  /** Returns the end events of charged requests, in order. */
  ends(): readonly object[];
}

/** Creates a gateway whose retries wait at most 1 ms by default. */
export function routed(
  places: readonly TargetOrProvider[],
  options: Partial<GatewayOptions> = {},
  model: Partial<ChatModelConfig> = {},
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
    reported: (type) => tested.events.filter((event) => event.type === type),
    ends: () => tested.events.filter(isChargedEnd),
  };
}

/** Reads a response with or without streaming. */
export async function read(response: Response): Promise<RoutedResponse> {
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

/** Returns the parsed frames of a stream. */
export async function framesOf(response: Response) {
  const events = await allEvents(response);
  return events.filter((event) => event.startsWith("{")).map((event) => JSON.parse(event));
}
