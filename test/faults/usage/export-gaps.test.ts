import { createServer } from "node:http";
import { createGateway, type Mountable, memoryBalanceStore, memoryKeyStore } from "@tollgate/core";
import { management } from "@tollgate/management";
import { nodeHandler } from "@tollgate/node";
import { expect, it } from "vitest";
import { openSqliteYear } from "../../bench/usage/sqlite-year.ts";
import { listen } from "../../http/mounts/mount.ts";
import { authorizeTokens, tokens } from "../../management/scene.ts";
import { scriptedProvider } from "../../support/scripted-provider.ts";
import { printFigures } from "../figures.ts";
import { form } from "../form.ts";

const rows = form === "long" ? 300_000 : 30_000;
const frameMs = 5;
const days = 30;
// 100 ms in the long form, which runs alone. Beside other tests the same work takes more processor time.
const maxWorkMs = form === "long" ? 100 : 250;

it(`streams go on while ${rows} requests in SQLite are exported and summed up`, { timeout: 300_000 }, async () => {
  await using host = await startHost();
  const to = Math.ceil(Date.now() / 3_600_000) * 3_600_000;
  const [from, end] = [to - days * 86_400_000, to].map((time) => new Date(time).toISOString());
  const period = `from=${from}&to=${end}`;
  const paths = {
    "no other work": "/health",
    "a CSV of all requests": `/requests?${period}&format=csv`,
    "a search for a rare tag": "/requests?tag=none",
    "30 days by account": `/usage?${period}&bucket=day&group_by=account&top=100`,
    "30 days by key and hour": `/usage?${period}&bucket=hour&group_by=key&top=100`,
    "30 days by status": `/usage?${period}&bucket=day&group_by=status`,
    "the list of models": "/models",
  };
  for (const [name, path] of Object.entries(paths)) {
    const { gapMs, workMs, tookMs, bytes } = await host.measure(path);
    const figures = { rows, bytes, "took ms": tookMs, "longest gap ms": gapMs, "of which work ms": workMs };
    printFigures(`Streams during ${name}`, figures);
    // The work of this process alone, since another one may keep the processor for longer.
    expect(workMs, name).toBeLessThan(maxWorkMs);
  }
});

/** One process with a gateway, whose model streams a frame every few milliseconds, and a management API over SQLite. */
async function startHost() {
  const { store, close } = openSqliteYear(rows, { days });
  const keys = memoryKeyStore();
  const { secret } = await keys.create({ account: "acme", plan: "free" });
  const gateway = createGateway({
    keys,
    balances: memoryBalanceStore(),
    plans: [{ id: "free", billing: "none" }],
    models: [
      {
        id: "endless",
        maxOutputTokens: 1_000_000,
        price: { input: "1", output: "1" },
        targets: [{ provider: scriptedProvider({ stream: frames }), model: "up" }],
      },
    ],
  });
  const api = management({ gateway, stores: { usage: store }, authorize: authorizeTokens });
  const [router, operators] = await Promise.all([serve(gateway), serve(api)]);
  return {
    /** Asks the management API while a stream runs, and returns the longest time between two of its frames. */
    async measure(path: string) {
      const stream = await openStream(router.url, secret);
      const startedAt = performance.now();
      stream.restart();
      const response = await fetch(`${operators.url}${path}`, {
        headers: { authorization: `Bearer ${tokens.viewer}` },
      });
      let bytes = 0;
      for await (const chunk of response.body ?? []) bytes += chunk.length;
      expect(response.status).toBe(200);
      const tookMs = Math.round(performance.now() - startedAt);
      return { ...stream.stop(), tookMs, bytes };
    },
    async [Symbol.asyncDispose]() {
      await Promise.all([router.close(), operators.close()]);
      await close();
    },
  };
}

async function serve(mountable: Mountable) {
  const host = await listen(createServer(nodeHandler(mountable, { prefix: "/v1" })));
  return { url: `http://127.0.0.1:${host.port}/v1`, close: () => host.close() };
}

async function* frames() {
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, frameMs));
    const choices = [{ index: 0, delta: { content: "word " }, finish_reason: null }];
    yield { id: "chatcmpl-1", object: "chat.completion.chunk" as const, created: 1, model: "up", choices };
  }
}

/** Reads a stream, and notes when its frames arrive. */
async function openStream(url: string, key: string) {
  const leaving = new AbortController();
  const response = await fetch(`${url}/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({ model: "endless", stream: true, messages: [{ role: "user", content: "Go on." }] }),
    signal: leaving.signal,
  });
  const reader = response.body?.getReader();
  await reader?.read();
  const gap = new LongestGap(() => performance.now());
  const work = new LongestGap(() => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1_000;
  });
  void (async () => {
    for (;;) {
      const read = await reader?.read().catch(() => undefined);
      if (read === undefined || read.done) return;
      gap.note();
      work.note();
    }
  })();
  return {
    restart() {
      gap.restart();
      work.restart();
    },
    stop() {
      gap.note();
      work.note();
      leaving.abort();
      return { gapMs: Math.ceil(gap.longest), workMs: Math.ceil(work.longest) };
    },
  };
}

/** The longest time between two notes, by a clock in milliseconds. */
class LongestGap {
  readonly #clock: () => number;
  #last: number;
  longest = 0;

  constructor(clock: () => number) {
    this.#clock = clock;
    this.#last = clock();
  }

  restart(): void {
    this.#last = this.#clock();
    this.longest = 0;
  }

  note(): void {
    const now = this.#clock();
    this.longest = Math.max(this.longest, now - this.#last);
    this.#last = now;
  }
}
