import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { ProviderError } from "@tollgate/core/provider";
import { expect, it } from "vitest";
import { gatewayUnderTest } from "../support/gateway-under-test.ts";
import { completionOf, scriptedProvider } from "../support/scripted-provider.ts";

const conversations = 100;
const turns = 20;
/** In this turn one of the targets is unavailable. */
const outage = 10;

interface Round {
  turn: number;
  hits: number;
  requests: number;
}

/** An upstream account that caches the last prompt of each conversation, as its number of messages. */
function cachingTarget(name: string, round: Round) {
  const cached = new Map<string, number>();
  const provider = scriptedProvider({
    complete: ({ request: { messages } }) => {
      if (name === "two" && round.turn === outage) {
        return Promise.reject(new ProviderError("overloaded", "Busy."));
      }
      const conversation = String(messages[0]?.content);
      if (messages.length > 1) round.requests += 1;
      if (cached.get(conversation) === messages.length - 1) round.hits += 1;
      cached.set(conversation, messages.length);
      return Promise.resolve(completionOf("Yes."));
    },
  });
  return { provider: { ...provider, name }, model: "up", priority: 1 };
}

/** Runs all conversations by turns, and returns the share of continued prompts whose earlier messages were in a cache. */
async function hitRate(withAffinity: boolean): Promise<number> {
  const round: Round = { turn: 0, hits: 0, requests: 0 };
  const targets = ["one", "two", "three", "four"].map((name) => cachingTarget(name, round));
  const { chat, key } = gatewayUnderTest({
    models: [{ id: "plain", maxOutputTokens: 10, price: "free", targets }],
    plans: [{ id: "prepaid", billing: "none" }],
    routing: { retries: 0, breaker: { threshold: 1_000_000 } },
  });
  const secret = await key();
  for (; round.turn < turns; round.turn++) {
    for (let conversation = 0; conversation < conversations; conversation++) {
      const content = `Conversation ${conversation}`;
      const messages = Array.from({ length: round.turn + 1 }, () => ({ role: "user", content }));
      const named = withAffinity ? { prompt_cache_key: content } : {};
      expect((await chat(secret, { messages, ...named })).status).toBe(200);
    }
  }
  expect(round.requests).toBe(conversations * (turns - 1));
  return round.hits / round.requests;
}

it("keeps conversations at the target that has cached them", async () => {
  const rates = { withAffinity: await hitRate(true), without: await hitRate(false) };
  console.log(
    `Prefix cache over 4 targets, one of which fails for a turn: hit rate ${percent(rates.withAffinity)} with affinity, ${percent(rates.without)} without.`,
  );
  expect(rates.withAffinity).toBeGreaterThanOrEqual(0.95);
  expect(rates.without).toBeGreaterThan(0.2);
  expect(rates.without).toBeLessThan(0.3);
}, 60_000);

const percent = (share: number): string => `${(share * 100).toFixed(1)}%`;

// The script imports the built packages.
it("chooses the same targets in every process, whatever the order of its configuration", async () => {
  const choices = await Promise.all(Array.from({ length: 3 }, () => runHost()));
  expect(new Set(choices[0]?.split(" "))).toEqual(new Set(["one", "two", "three", "four"]));
  expect(choices[0]?.split(" ")).toHaveLength(200);
  expect(new Set(choices).size).toBe(1);
}, 30_000);

const run = promisify(execFile);

async function runHost(): Promise<string> {
  const { stdout } = await run(process.execPath, ["affinity-host.mjs"], { cwd: import.meta.dirname });
  return stdout.trim();
}
