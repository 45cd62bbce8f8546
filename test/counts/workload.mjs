// Runs requests through the built gateway of a checkout, with an upstream in this process that answers at once. The parent
// process sends the URL of core's index.js and a shape of requests, then the name of a figure and a number of requests for
// each figure that it wants.
import { createHook } from "node:async_hooks";
import { once } from "node:events";
import { Session } from "node:inspector/promises";

const [{ core, request, reply }] = await once(process, "message");
const { createGateway, memoryBalanceStore, memoryKeyStore, memoryTermsStore } = await import(core);

const account = "acme";
const encoder = new TextEncoder();
const body = encoder.encode(JSON.stringify({ ...request, model: "public" }));
const chunks = reply.map((/** @type {string} */ chunk) => encoder.encode(chunk));

/** The body of the upstream's response: a chunk in each turn of the event loop, or at once if there is only one. */
const upstreamBody = () => {
  let isCancelled = false;
  return {
    pipeTo(sink) {
      const push = (index) => {
        if (isCancelled) return;
        sink.write(chunks[index]);
        if (index + 1 < chunks.length) setImmediate(push, index + 1);
        else sink.close();
      };
      push(0);
    },
    pause() {},
    resume() {},
    cancel() {
      isCancelled = true;
    },
  };
};

const provider = {
  name: "instant",
  capabilities: { streamUsage: true, outputCapField: "max_tokens", pricedFields: [], cancel: "stops" },
  async complete(call) {
    call.encoded();
    return { kind: "bytes", body: chunks[0] };
  },
  async stream(call) {
    call.encoded();
    return { kind: "bytes", bytes: upstreamBody() };
  },
};

/** A gateway with every check on: keys, terms, limits, a hold on a prepaid balance, metering and settlement. */
async function makeGateway() {
  const keys = memoryKeyStore();
  const balances = memoryBalanceStore();
  const limits = { requests: { limit: 1e9 }, tokens: { limit: 1e12 }, concurrency: 5_000 };
  const gateway = createGateway({
    keys,
    balances,
    plans: [{ id: "prepaid", billing: "prepaid", limits }],
    terms: {
      store: memoryTermsStore(),
      versions: [{ id: "1", version: "1", acceptUrl: "https://host.example/terms" }],
    },
    models: [
      {
        id: "public",
        contextWindow: 128_000,
        maxOutputTokens: 16_384,
        price: { input: "0.15", output: "0.60", cacheWrite: "0.20" },
        targets: [{ provider, model: "upstream" }],
      },
    ],
  });
  await gateway.terms.accept(account, "1");
  await balances.credit({ id: "start", account, amount: 10n ** 18n, reason: "start" });
  const { secret } = await keys.create({ account, plan: "prepaid" });
  return { gateway, authorization: `Bearer ${secret}` };
}

const { gateway, authorization } = await makeGateway();
const signal = { aborted: false, addEventListener() {}, removeEventListener() {} };

class LocalRequest {
  method = "POST";
  url = "/chat/completions";
  path = "/chat/completions";
  clientAddress = undefined;
  parsedBody = undefined;
  waitUntil = undefined;
  signal = signal;

  header(name) {
    if (name === "authorization") return authorization;
    return name === "content-type" ? "application/json" : undefined;
  }

  readBody(_maxBytes, receiver) {
    receiver.resolve(body);
  }
}

class Sink {
  constructor(resolve, reject) {
    this.close = resolve;
    this.fail = reject;
  }

  write() {}
}

async function answer() {
  const response = await gateway.handle(new LocalRequest());
  if (response.status !== 200) throw new Error(`The gateway answered ${response.status}: ${response.body}`);
  if (typeof response.body === "object" && "pipeTo" in response.body) {
    await new Promise((resolve, reject) => response.body.pipeTo(new Sink(resolve, reject)));
  }
}

async function run(requests) {
  for (let done = 0; done < requests; done++) await answer();
}

/** Bytes on the heap. The new space must be so large that nothing is collected in between. */
async function allocatedBytes(requests) {
  const samples = [];
  for (let sample = 0; sample < 7; sample++) {
    globalThis.gc();
    const before = process.memoryUsage().heapUsed;
    await run(requests);
    samples.push((process.memoryUsage().heapUsed - before) / requests);
  }
  return samples.sort((a, b) => a - b)[3];
}

async function promises(requests) {
  let created = 0;
  const hook = createHook({ init: (_id, type) => void (type === "PROMISE" && created++) }).enable();
  await run(requests);
  hook.disable();
  return created / requests;
}

/** Microseconds of CPU time. */
async function cpuTime(requests) {
  const begun = process.cpuUsage();
  await run(requests);
  const { user, system } = process.cpuUsage(begun);
  return (user + system) / requests;
}

/** The bytes of each function, as pairs of a call frame and its bytes: of all objects, or of those that get old. */
async function bytesByFunction(requests, includeObjectsCollectedByMinorGC) {
  const session = new Session();
  session.connect();
  const included = { includeObjectsCollectedByMajorGC: true, includeObjectsCollectedByMinorGC };
  await session.post("HeapProfiler.startSampling", { samplingInterval: 2_048, ...included });
  await run(requests);
  // The last objects have not been through a collection of the new space yet.
  for (let times = 0; times < 2; times++) globalThis.gc({ type: "minor" });
  const { profile } = await session.post("HeapProfiler.stopSampling");
  session.disconnect();
  return flatten(profile.head).map(({ callFrame, selfSize }) => [callFrame, selfSize / requests]);
}

const flatten = (node) => [node, ...node.children.flatMap(flatten)];

const figures = {
  cpu: cpuTime,
  bytes: allocatedBytes,
  promises,
  allocations: (requests) => bytesByFunction(requests, true),
  survivors: (requests) => bytesByFunction(requests, false),
};
process.on("message", async ([figure, requests]) => process.send(await figures[figure](requests)));
process.on("disconnect", () => process.exit());
process.send("ready");
