import { once } from "node:events";
import { createServer } from "node:http";
import { anthropic } from "@tollgate/anthropic";
import {
  createGateway,
  type Gateway,
  type ModelConfig,
  openaiCompatible,
  type Plan,
  type PriceList,
} from "@tollgate/core";
import { asDecimal, perMillion, type SuiteModel, type SuitePlan, type TokenRates } from "@tollgate/exact-money";
import { management, managementTokens } from "@tollgate/management";
import { nodeHandler, pooledTransport } from "@tollgate/node";
import { type PaymentStore, payments } from "@tollgate/payments";
import { stripeProvider } from "@tollgate/stripe";
import Stripe from "stripe";
import { openStores } from "./open-stores.ts";
import { product } from "./product.ts";
import { stepClock } from "./step-clock.ts";
import type { GatewayTask, Said, StepClock } from "./task.ts";

/** Serves a gateway and its management API until it is killed, or its parent ends. */
process.on("disconnect", () => process.exit());
process.once("message", (task: GatewayTask) => void serve(task));

async function serve(task: GatewayTask): Promise<void> {
  const { keys, balances, responses, audit, payments: paymentStore } = await openStores(task.store);
  const gateway = createGateway({
    keys,
    balances,
    plans: task.plans.map(planOf),
    models: task.models.map((model) => modelOf(model, task)),
    transport: pooledTransport({ connections: 256 }),
    responses: { store: responses },
    storeTimeoutMs: 5_000,
    money: { leaseMs: task.leaseMs },
    observer: () => undefined,
  });
  const authorize = managementTokens([{ token: task.adminToken, actor: "suite", role: "admin" }]);
  const api = management({ gateway, stores: { keys, balances, accounts: balances, responses, audit }, authorize });
  const operate = nodeHandler(api, { prefix: "/manage" });
  const answer = nodeHandler(gateway, { prefix: "/router/v1" });
  const sell = nodeHandler(paymentsOf(gateway, paymentStore, task), { prefix: "/payments" });
  const server = createServer((request, response) => {
    void operate(request, response, () => void sell(request, response, () => void answer(request, response)));
  });
  server.listen(task.port, "127.0.0.1");
  await once(server, "listening");
  process.on("message", ({ stepClock: milliseconds }: StepClock) => {
    stepClock(milliseconds);
    say("stepped");
  });
  say("ready");
}

function paymentsOf(gateway: Gateway, store: PaymentStore, { stripe: { port, apiKey, signingSecret } }: GatewayTask) {
  return payments({
    gateway,
    store,
    provider: stripeProvider({
      stripe: new Stripe(apiKey, { host: "127.0.0.1", port, protocol: "http", telemetry: false }),
      live: false,
      webhookSecrets: [signingSecret],
      successUrl: "https://acme.example/paid",
      cancelUrl: "https://acme.example/billing",
    }),
    products: [{ id: product.id, price: { amount: product.cents, currency: "USD" }, credit: product.credit }],
    authorize: (request) => ({ account: request.headers.get("x-account") ?? "" }),
    observer: () => undefined,
    onEvent: () => undefined,
  });
}

const say = (said: Said): void => void process.send?.(said);

const planOf = ({ id, spend }: SuitePlan): Plan => ({
  id,
  billing: "prepaid",
  ...(spend === undefined ? {} : { spend: { limit: asDecimal(spend), window: "total" } }),
});

function modelOf(
  { id, api, upstreamModel, contextWindow, maxOutput, prices, hidesReasoning }: SuiteModel,
  { upstream }: GatewayTask,
): ModelConfig {
  const { url: baseURL, apiKey } = upstream;
  const account = { baseURL, apiKey };
  const dialects = api === "responses" || api === "embeddings" ? [api] : [];
  const provider = api === "messages" ? anthropic(account) : openaiCompatible({ ...account, dialects });
  const { tier, request } = prices;
  const price: PriceList = {
    ...ratesOf(prices),
    ...(request === undefined ? {} : { request: asDecimal(request) }),
    ...(tier === undefined ? {} : { tiers: [{ aboveInputTokens: tier.aboveInput, ...ratesOf(tier) }] }),
  };
  const model = { id, contextWindow, price, targets: [{ provider, model: upstreamModel }] };
  if (api === "embeddings") return { ...model, kind: "embedding" };
  const reasoning = { effortLevels: ["low", "high"], defaultEffort: "low" };
  return { ...model, maxOutputTokens: maxOutput, ...(hidesReasoning === true ? { reasoning } : {}) };
}

const ratesOf = ({ input, output, cached, cacheWrite }: TokenRates) => ({
  input: perMillion(input),
  output: perMillion(output),
  ...(cached === undefined ? {} : { cachedInput: perMillion(cached) }),
  ...(cacheWrite === undefined ? {} : { cacheWrite: perMillion(cacheWrite) }),
});
