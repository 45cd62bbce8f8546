import { createServer } from "node:http";
import { type GatewayOptions, openaiCompatible, type Target, type Transport } from "@tollgate/core";
import { nodeHandler } from "@tollgate/node";
import { listen } from "../http/mounts/mount.ts";
import { refusingPort } from "../support/free-port.ts";
import { type GatewayUnderTest, gatewayUnderTest } from "../support/gateway-under-test.ts";
import { type FaultyUpstream, faultyUpstream, type Handshake } from "./faulty-upstream.ts";
import { healthyTokens, type Tokens } from "./outcome.ts";
import type { Row } from "./row.ts";
import { answer, canary } from "./script.ts";
import { first, healthy, second } from "./upstream-frames.ts";

/** The alternative if the first target fails. */
export type Alternative =
  | "nothing"
  | "the same target, recovered"
  | "a healthy target"
  | "a broken target"
  | "a target with a larger window";

/** A request with or without `stream`. */
export type Form = "whole" | "streamed";

/** One cell of the matrix: a fault, the form of the request, and the alternative. */
export interface Cell {
  readonly row: Row;
  readonly form: Form;
  readonly alternative: Alternative;
}

/** A gateway on node:http with the upstreams of a cell. */
export interface Scene {
  readonly baseURL: string;
  /** The base URL for clients. */
  readonly secret: string;
  readonly under: GatewayUnderTest;
  readonly first: FaultyUpstream;
  readonly second: FaultyUpstream;
  close(): Promise<void>;
}

/** The usage that the second target reports. */
export const secondTokens: Tokens = { prompt: 17, completion: 3 };
/** The text of the second target. */
export const secondPieces: readonly string[] = ["From ", "elsewhere"];
/** The prices of the first and the second target in nano-units per token. */
export const prices = {
  first: { input: 3_000n, output: 7_000n },
  second: { input: 11_000n, output: 13_000n },
} as const;

/** The public id of the model. */
export const publicModel = "everyday";

/** Creates a scene. The caller closes the transport; `options` override those of the gateway. */
export async function openScene(
  cell: Cell,
  transport: Transport,
  options: Partial<GatewayOptions> = {},
): Promise<Scene> {
  const { row, form, alternative } = cell;
  const stream = form === "streamed";
  const recovers = alternative === "the same target, recovered";
  const one = await faultyUpstream(
    (before) => (recovers && before > 0 ? healthy(first, healthyTokens, stream) : row.script),
    handshakes[row.at ?? "its address"],
  );
  const overloaded = answer(503, { error: { message: canary.host } }, { "retry-after": "30" });
  const other = await faultyUpstream(() =>
    alternative === "a broken target" ? overloaded : healthy(second, secondTokens, stream, secondPieces),
  );
  const window = alternative === "a target with a larger window" ? 32_000 : 8_000;
  const provider = openaiCompatible({
    name: "provider-one",
    baseURL: await addressOf(row, one),
    apiKey: canary.key,
  });
  const targets = [
    { provider, model: canary.model },
    ...(alternative.startsWith("a ") ? [targetAt(other, window)] : []),
  ];
  const under = gatewayUnderTest({
    models: [
      { id: publicModel, maxOutputTokens: 1_000, contextWindow: 8_000, price: { input: "3", output: "7" }, targets },
    ],
    transport,
    upstream: row.limits ?? {},
    routing: { backoffMs: 1 },
    ...options,
  });
  const { port, close } = await listen(createServer(nodeHandler(under.gateway, { prefix: "/router/v1" })));
  return {
    baseURL: `http://127.0.0.1:${port}/router/v1`,
    secret: await under.key(),
    under,
    first: one,
    second: other,
    close: async () => {
      await Promise.all([one.close(), other.close()]);
      await under.gateway.drain({ timeoutMs: 1_000 });
      await close();
    },
  };
}

const targetAt = ({ port }: FaultyUpstream, contextWindow: number): Target => ({
  contextWindow,
  provider: openaiCompatible({
    name: "provider-two",
    baseURL: `http://127.0.0.1:${port}/v1`,
    apiKey: canary.secondKey,
  }),
  model: canary.model,
  price: { input: "11", output: "13" },
});

const handshakes: Readonly<Record<NonNullable<Row["at"]> | "its address", Handshake>> = {
  "its address": "break",
  "a name that does not resolve": "break",
  "a closed port": "break",
  "https that disconnects": "break",
  "https that hangs": "hang",
  "https with an untrusted certificate": "unknown certificate",
};

async function addressOf({ at }: Row, { port }: FaultyUpstream): Promise<string> {
  if (at === undefined) return `http://127.0.0.1:${port}/v1`;
  if (at === "a name that does not resolve") return "http://gpu-7.invalid/v1";
  if (at === "a closed port") return `http://127.0.0.1:${await refusingPort(port)}/v1`;
  return `https://127.0.0.1:${port}/v1`;
}
