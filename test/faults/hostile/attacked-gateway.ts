import { anthropic } from "@tollgate/anthropic";
import {
  createGateway,
  type GatewayOptions,
  memoryAuditLog,
  memoryBalanceStore,
  memoryKeyStore,
  openaiCompatible,
} from "@tollgate/core";
import { routerApi } from "@tollgate/core/openapi";
import { dashboard, managementTokens } from "@tollgate/dashboard";
import { type PooledTransport, pooledTransport } from "@tollgate/node";
import type { Gateways } from "../../http/mounts/mount.ts";
import { type Books, operatorToken, type Secrets } from "./host-report.ts";

/** The options of an attacked gateway, which pass between processes as JSON. */
export type AttackedOptions = Pick<GatewayOptions, "bodies" | "streams" | "money"> & {
  /** The number of models in the list beside those that can be called. */
  readonly listedModels?: number;
};

/** A gateway under attack, with its dashboard and its ledger. */
export interface AttackedGateway {
  /** The mounts by prefix. */
  readonly mounts: Gateways;
  readonly secrets: Secrets;
  books(): Promise<Books>;
}

const opening = 1_000_000_000_000_000n;
const account = "acme";

/** Creates a gateway whose models call the upstream at `upstreamUrl`: "plain", "claude" by Messages, and "vectors". */
export async function attackedGateway(upstreamUrl: string, options: AttackedOptions): Promise<AttackedGateway> {
  const { listedModels = 0, ...gatewayOptions } = options;
  const keys = memoryKeyStore();
  const balances = memoryBalanceStore();
  const transport: PooledTransport = pooledTransport();
  const running = new Set<string>();
  const gateway = createGateway({
    keys,
    balances,
    transport,
    plans: [{ id: "prepaid", billing: "prepaid" }],
    models: modelsAt(upstreamUrl, listedModels),
    openapi: routerApi,
    // Of each request, the first event is its start, and the last one its end.
    observer: (event) => {
      if (event.type === "request.started") running.add(event.requestId);
      if (event.type === "request.completed" || event.type === "request.refused") running.delete(event.requestId);
    },
    ...gatewayOptions,
  });
  const page = dashboard({
    gateway,
    stores: { keys, balances, accounts: balances, audit: memoryAuditLog() },
    authorize: managementTokens([{ token: operatorToken, actor: "otto", role: "operator" }]),
    observer: () => undefined,
  });
  balances.credit({ id: "opening", account, amount: opening, reason: "test" });
  const newKey = async () => (await keys.create({ account, plan: "prepaid" })).secret;
  const secrets = { hostile: await newKey(), steady: await newKey() };
  return {
    mounts: { "/router/v1": gateway, "/ops": page },
    secrets,
    async books() {
      const { inFlight, holds, settlementsWaiting } = gateway.inspect();
      const { posted, held } = balances.balance(account);
      const { entries } = balances.entries({ account, limit: 100_000 });
      const sum = entries.reduce((total, { amount }) => total + amount, 0n);
      return {
        running: inFlight + running.size,
        holds: holds + settlementsWaiting,
        held: String(held),
        unexplained: String(posted - sum),
        problems: balances.verify().map(({ problem }) => problem),
        charges: entries.length - 1,
      };
    },
  };
}

const price = { input: "1", output: "2" };

function modelsAt(upstreamUrl: string, listed: number): GatewayOptions["models"] {
  const baseURL = upstreamUrl;
  const openai = openaiCompatible({ baseURL, apiKey: "sk-upstream", dialects: ["responses", "embeddings"] });
  const messages = anthropic({ baseURL, apiKey: "sk-upstream" });
  const chat = { maxOutputTokens: 1_000, contextWindow: 8_000_000, price };
  return [
    { id: "plain", ...chat, targets: [{ provider: openai, model: "up" }] },
    { id: "claude", ...chat, targets: [{ provider: messages, model: "up" }] },
    { id: "vectors", kind: "embedding", price, targets: [{ provider: openai, model: "up" }] },
    ...Array.from({ length: listed }, (_, at) => ({
      id: `listed-${at}`,
      displayName: `A model that fills the list, number ${at}`,
      ...chat,
      targets: [{ provider: openai, model: "up" }],
    })),
  ];
}
