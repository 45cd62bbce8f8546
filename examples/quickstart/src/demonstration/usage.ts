import { type ModelConfig, type Prices, parseAmount } from "@tollgate/core";
import type { TimelineStep, TokenCounts, UsageRow, UsageStore } from "@tollgate/core/store";
import type { CustomerKey } from "./customers.ts";
import { seededRandom, weighted } from "./random.ts";

/** What invented requests are made of. */
interface Traffic {
  readonly keys: readonly CustomerKey[];
  readonly models: readonly ModelConfig[];
}

const days = 30;
const dayMs = 86_400_000;
const batchSize = 500;

/** Records 30 days of invented requests, unless the store has some. Returns whether it did. */
export async function fillUsage(usage: UsageStore, traffic: Traffic): Promise<boolean> {
  const { rows } = await usage.list({ limit: 1 });
  if (rows.length > 0) return false;
  const invented = inventRows(traffic, Date.now());
  for (let start = 0; start < invented.length; start += batchSize) {
    await usage.record(invented.slice(start, start + batchSize));
  }
  return true;
}

function inventRows(traffic: Traffic, now: number): UsageRow[] {
  const random = seededRandom(17);
  const rows: UsageRow[] = [];
  for (let day = days; day > 0; day--) {
    const start = now - day * dayMs;
    const isWeekend = [0, 6].includes(new Date(start).getUTCDay());
    const count = Math.round((isWeekend ? 40 : 110) * (1 + 0.6 * ((days - day) / days)) * (0.8 + 0.4 * random()));
    for (let request = 0; request < count; request++) {
      const row = inventRow(traffic, start + random() * dayMs, random);
      if (row !== undefined) rows.push(row);
    }
  }
  return rows.filter(({ at }) => at.getTime() < now);
}

function inventRow({ keys, models }: Traffic, at: number, random: () => number): UsageRow | undefined {
  const key = weighted(keys, random);
  const model = models[random() < 0.7 ? 0 : 1];
  const target = model?.targets[0];
  if (key === undefined || model === undefined || target === undefined) return undefined;
  const failed = random() < 0.03;
  const tokens = failed ? noTokens : inventTokens(random, model.reasoning !== undefined);
  const durationMs = Math.round(200 + tokens.output * (2 + 2 * random()));
  const firstContentMs = Math.round(80 + 400 * random() ** 2);
  const id = crypto.randomUUID();
  return {
    id,
    at: new Date(Math.floor(at)),
    requestId: `req_${id}`,
    account: key.account,
    keyId: key.id,
    plan: "prepaid",
    endpoint: "chat.completions",
    dialect: "chat",
    model: model.id,
    target: { provider: target.provider.name, upstreamModel: target.model },
    status: failed ? 502 : 200,
    ...(failed ? { errorCode: "upstream_error" } : {}),
    ending: failed ? "refused" : "complete",
    tokens,
    estimated: false,
    cost: costOf(model.price, tokens),
    ...(target.cost === undefined ? {} : { upstreamCost: costOf(target.cost, tokens) }),
    ...(failed ? {} : { firstContentMs }),
    durationMs,
    attempts: failed ? 2 : 1,
    tags: key.tags,
    timeline: inventTimeline(`${target.provider.name}/${target.model}`, failed, firstContentMs, durationMs),
  };
}

const noTokens: TokenCounts = {
  input: 0,
  cachedInput: 0,
  cacheWrite5m: 0,
  cacheWrite1h: 0,
  output: 0,
  reasoning: 0,
};

function inventTokens(random: () => number, reasons: boolean): TokenCounts {
  const input = Math.round(500 + 40_000 * random() ** 2);
  const output = Math.round(100 + 3_000 * random() ** 2);
  const cachedInput = random() < 0.4 ? Math.round(input * 0.6) : 0;
  return { ...noTokens, input, cachedInput, output, reasoning: reasons ? Math.round(output * 0.5) : 0 };
}

/** The demonstration has no tiers, and no list with a date. */
function costOf(prices: Prices | "free", tokens: TokenCounts): bigint {
  const price = typeof prices === "object" && "input" in prices ? prices : undefined;
  if (price === undefined) return 0n;
  const fresh = BigInt(tokens.input - tokens.cachedInput) * parseAmount(price.input);
  const cached = BigInt(tokens.cachedInput) * parseAmount(price.cachedInput ?? price.input);
  return (fresh + cached + BigInt(tokens.output) * parseAmount(price.output)) / 1_000_000n;
}

function inventTimeline(target: string, failed: boolean, firstContentMs: number, durationMs: number): TimelineStep[] {
  const start = [
    { step: "admitted", at: 1 },
    { step: "held", at: 2 },
    { step: "attempt", at: 3, detail: target },
  ];
  return failed
    ? [...start, { step: "attempt.failed", at: durationMs, detail: "unreachable" }]
    : [...start, { step: "first_content", at: firstContentMs }, { step: "settled", at: durationMs }];
}
