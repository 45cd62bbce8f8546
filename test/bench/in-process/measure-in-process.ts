import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createGateway, memoryBalanceStore, memoryKeyStore, parseAmount } from "@tollgate/core";
import { nodeHandler } from "@tollgate/node";
import OpenAI from "openai";
import { alternate, type Rounds } from "../rounds.ts";
import { percentile } from "../statistics.ts";
import { instantProvider } from "./instant-provider.ts";

/** How the client reaches the gateway, both in this process. */
export type Reach = "gateway.fetch" | "fetch over a socket";

/** CPU time of a request of the client of OpenAI, client and gateway together, in microseconds, in each round. */
export interface InProcessResults {
  readonly inProcess: Rounds<Reach, number>;
}

/** Of a round. Its figure is the lowest quartile of them. */
const slices = 10;

/** Measures JSON requests with a provider that answers at once. */
export async function measureInProcess(rounds: number, seconds: number): Promise<InProcessResults> {
  const { clients, close } = await open();
  const names: readonly Reach[] = ["gateway.fetch", "fetch over a socket"];
  const inProcess = await alternate(names, rounds, async (name) => {
    await cpuOf(clients[name], seconds / 5);
    const measured: number[] = [];
    for (let slice = 0; slice < slices; slice++) measured.push(await cpuOf(clients[name], seconds / slices));
    return percentile(measured, 0.25);
  });
  await close();
  return { inProcess };
}

async function open() {
  const keys = memoryKeyStore();
  const balances = memoryBalanceStore();
  balances.credit({ id: "opening", account: "acme", amount: parseAmount("1000000"), reason: "bench" });
  const { secret } = await keys.create({ account: "acme", plan: "prepaid" });
  const targets = [{ provider: instantProvider, model: "up" }];
  const gateway = createGateway({
    keys,
    balances,
    plans: [{ id: "prepaid", billing: "prepaid" }],
    models: [{ id: "plain", maxOutputTokens: 100, price: { input: "1", output: "2" }, targets }],
  });
  const server = createServer(nodeHandler(gateway, { prefix: "/router/v1" })).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const baseURL = `http://127.0.0.1:${port}/router/v1`;
  const clients: Readonly<Record<Reach, OpenAI>> = {
    "gateway.fetch": new OpenAI({ apiKey: secret, baseURL, fetch: gateway.fetch }),
    "fetch over a socket": new OpenAI({ apiKey: secret, baseURL }),
  };
  return {
    clients,
    async close() {
      server.closeAllConnections();
      server.close();
      await gateway.drain();
    },
  };
}

/** Microseconds of CPU time that a request takes. */
async function cpuOf({ chat }: OpenAI, seconds: number): Promise<number> {
  const begun = process.cpuUsage();
  const end = performance.now() + 1_000 * seconds;
  let requests = 0;
  for (; performance.now() < end; requests++)
    await chat.completions.create({ model: "plain", messages: [{ role: "user", content: "What is the capital?" }] });
  const { user, system } = process.cpuUsage(begun);
  return (user + system) / requests;
}
