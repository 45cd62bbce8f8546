import { createGateway, type Gateway, memoryBalanceStore, memoryKeyStore, parseAmount } from "@tollgate/core";
import type { ClientRequest } from "@tollgate/core/internal";
import type { ProviderAdapter } from "@tollgate/core/provider";
import { alternate, type Rounds } from "../rounds.ts";
import { type Shape, shapes } from "./shapes.ts";

/** The sizes of the bodies, in MiB. */
export const bodySizes = [1, 20] as const;

/** A shape of a body and how large it is. */
export type BodyName = `${string}, ${(typeof bodySizes)[number]} MiB`;

/** Milliseconds for which each body keeps the event loop from all else at a stretch. */
export interface BodyResults {
  readonly bodies: Rounds<BodyName, number>;
}

/** Takes the request as an upstream would be sent it, and answers at once. */
const provider: ProviderAdapter = {
  name: "instant",
  capabilities: { streamUsage: true, outputCapField: "max_tokens", pricedFields: [], cancel: "stops" },
  async complete(call) {
    call.encoded();
    return {
      choices: [{ message: { role: "assistant", content: "x" }, finish_reason: "stop" }],
      usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
    };
  },
  stream: () => Promise.reject(new Error("The bench asks for no stream.")),
};

/** Measures the longest block of the event loop by each body, in this process and without a network. */
export async function measureBodies(rounds: number): Promise<BodyResults> {
  const { gateway, authorization } = await makeGateway();
  const cases = new Map<BodyName, { readonly shape: Shape; readonly size: number }>(
    bodySizes.flatMap((size) => shapes.map((shape) => [`${shape.name}, ${size} MiB`, { shape, size }] as const)),
  );
  const measure = async (name: BodyName): Promise<number> => {
    const { shape, size } = cases.get(name) ?? { shape: shapes[0], size: 1 };
    const body = new TextEncoder().encode(shape?.make(size));
    return await longestBlock(async () => {
      await gateway.handle(requestOf(body, authorization));
    });
  };
  const names = [...cases.keys()];
  // The first time V8 compiles what reads them.
  for (const name of names.slice(0, shapes.length)) await measure(name);
  return { bodies: await alternate(names, rounds, measure) };
}

async function makeGateway(): Promise<{ readonly gateway: Gateway; readonly authorization: string }> {
  const keys = memoryKeyStore();
  const balances = memoryBalanceStore();
  await balances.credit({ id: "opening", account: "acme", amount: parseAmount("1000000"), reason: "bench" });
  const { secret } = await keys.create({ account: "acme", plan: "prepaid" });
  const gateway = createGateway({
    keys,
    balances,
    plans: [{ id: "prepaid", billing: "prepaid" }],
    models: [
      { id: "plain", maxOutputTokens: 100, price: { input: "1", output: "2" }, targets: [{ provider, model: "up" }] },
    ],
  });
  return { gateway, authorization: `Bearer ${secret}` };
}

function requestOf(body: Uint8Array, authorization: string): ClientRequest {
  return {
    method: "POST",
    url: "/chat/completions",
    path: "/chat/completions",
    clientAddress: undefined,
    parsedBody: undefined,
    waitUntil: undefined,
    signal: new AbortController().signal,
    header: (name) => (name === "authorization" ? authorization : undefined),
    readBody: (_, receiver) => void setImmediate(() => receiver.resolve(body)),
  };
}

/** The longest time between two turns of the event loop while the work is done, in milliseconds. */
async function longestBlock(work: () => Promise<void>): Promise<number> {
  let longest = 0;
  let isOver = false;
  let last = performance.now();
  const turn = () => {
    const now = performance.now();
    longest = Math.max(longest, now - last);
    last = now;
    if (!isOver) setImmediate(turn);
  };
  setImmediate(turn);
  await new Promise((resolve) => setImmediate(resolve));
  longest = 0;
  await work();
  await new Promise((resolve) => setImmediate(resolve));
  isOver = true;
  return longest;
}
