import { createServer } from "node:http";
import type { GatewayOptions, PriceList } from "@tollgate/core";
import type { Usage } from "@tollgate/core/provider";
import type { NewKey } from "@tollgate/core/store";
import { nodeHandler } from "@tollgate/node";
import { expect } from "vitest";
import { offlineProvider } from "../../examples/quickstart/src/offline/offline-provider.ts";
import { listen } from "../http/mounts/mount.ts";
import { type GatewayUnderTest, gatewayUnderTest } from "../support/gateway-under-test.ts";
import { type ScriptedProvider, scriptedProvider } from "../support/scripted-provider.ts";

/** A listening gateway for clients that have only its URL and a key. */
export interface ServedGateway {
  readonly baseURL: string;
  /** The provider behind the model "scripted". */
  readonly scripted: ScriptedProvider;
  readonly under: GatewayUnderTest;
  /** How many requests have arrived at the server. */
  readonly arrived: () => number;
  key(options?: Partial<NewKey>): Promise<string>;
  /** Runs a call and expects that "acme" is charged exactly the cost of the reported usage. Returns the call's result. */
  paying<T>(call: () => Promise<T>, usageOf: (result: T) => readonly (PaidUsage | null | undefined)[]): Promise<T>;
  /** Runs a call and expects that nothing is charged or held. */
  unpaid<T>(call: () => Promise<T>): Promise<T>;
  /** Calculates the cost of a usage in nano-units, independently of the gateway. */
  costOf(usage: PaidUsage): bigint;
  close(): Promise<void>;
}

/** The token counts that have a price. */
export type PaidUsage = Pick<Usage, "prompt_tokens" | "completion_tokens">;

const price: PriceList = { input: "2.50", output: "10.00", request: "0.000001" };

const costOf = ({ prompt_tokens, completion_tokens }: PaidUsage): bigint =>
  1_000n + BigInt(prompt_tokens) * 2_500n + BigInt(completion_tokens) * 10_000n;

/** Serves a gateway on node:http with the models "everyday", "thinker" (both offline) and "scripted". */
export async function serveGateway(options: Partial<GatewayOptions> = {}): Promise<ServedGateway> {
  const scripted = scriptedProvider();
  const offline = [{ provider: offlineProvider({ delayMs: 0 }), model: "echo" }];
  const common = { maxOutputTokens: 1_000, contextWindow: 16_000, price };
  const under = gatewayUnderTest({
    models: [
      { ...common, id: "everyday", displayName: "Everyday", vision: true, imageTokens: 2_048, targets: offline },
      {
        ...common,
        id: "thinker",
        targets: offline,
        reasoning: { effortLevels: ["low", "high"], defaultEffort: "low" },
      },
      { ...common, id: "scripted", targets: [{ provider: scripted, model: "upstream-model" }] },
    ],
    ...options,
  });
  let arrived = 0;
  const handle = nodeHandler(under.gateway, { prefix: "/router/v1" });
  const server = createServer((req, res) => {
    arrived++;
    handle(req, res);
  });
  const { port, close } = await listen(server);
  const paid = async <T>(call: () => Promise<T>, costs: (result: T) => bigint): Promise<T> => {
    const before = (await under.balances.balance("acme")).posted;
    const result = await call();
    const after = await under.balances.balance("acme");
    expect(before - after.posted).toBe(costs(result));
    expect(after.held).toBe(0n);
    return result;
  };
  return {
    baseURL: `http://127.0.0.1:${port}/router/v1`,
    scripted,
    under,
    arrived: () => arrived,
    key: under.key,
    paying: (call, usageOf) => paid(call, (result) => usageOf(result).map(known).map(costOf).reduce(sum, 0n)),
    unpaid: (call) => paid(call, () => 0n),
    costOf,
    close: () => {
      server.closeAllConnections();
      return close();
    },
  };
}

function known(usage: PaidUsage | null | undefined): PaidUsage {
  if (usage == null) throw new Error("The call reported no usage.");
  return usage;
}

const sum = (a: bigint, b: bigint): bigint => a + b;
