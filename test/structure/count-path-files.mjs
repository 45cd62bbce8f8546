import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer, request } from "node:http";
import { Session } from "node:inspector/promises";
import { SourceMap } from "node:module";
import { dirname, relative, resolve } from "node:path";
import { text as readText } from "node:stream/consumers";
import { setImmediate } from "node:timers/promises";
import { fileURLToPath } from "node:url";

// Prints the source files of core and node that one completion executes a function of: those that a reader of the
// path has to know. It runs the built packages under the precise coverage of V8 and reads their source maps.
// Usage: node test/structure/count-path-files.mjs

const warmUpRequests = 20;
const root = resolve(dirname(fileURLToPath(import.meta.url)), "../..");
const counted = /^packages\/(?:core|node)\/src\//;
const limits = { requests: { limit: 1_000 }, tokens: { limit: 1_000_000_000 }, concurrency: 100 };

const inspector = new Session();
inspector.connect();
await inspector.post("Profiler.enable");
await inspector.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
// Only what is loaded under coverage is counted.
const { createGateway, memoryBalanceStore, memoryKeyStore, memoryTermsStore, openaiCompatible } = await import(
  "@tollgate/core"
);
const { nodeHandler, pooledTransport } = await import("@tollgate/node");

const upstream = await listen(answerAsUpstream);
const { gateway, secret } = await openGateway(upstream.port);
const router = await listen(nodeHandler(gateway, { prefix: "/router/v1" }));
const files = { json: await measure({ stream: false }), stream: await measure({ stream: true }) };
console.log(JSON.stringify(files, undefined, 2));
process.exit();

/**
 * The files that one request executes a function of, once others like it have warmed everything up.
 * @param {{ stream: boolean }} members
 */
async function measure(members) {
  for (let count = 0; count < warmUpRequests; count += 1) await complete(members);
  await inspector.post("Profiler.takePreciseCoverage");
  await complete(members);
  const { result } = await inspector.post("Profiler.takePreciseCoverage");
  return [...new Set(result.flatMap(executedSources))].filter((file) => counted.test(file)).toSorted();
}

/**
 * The sources of one built file of which a function was called.
 * @param {import("node:inspector").Profiler.ScriptCoverage} script
 */
function executedSources({ url, functions }) {
  if (!url.startsWith("file:") || !/\/packages\/(?:core|node)\/dist\//.test(url)) return [];
  const path = fileURLToPath(url);
  const starts = lineStarts(readFileSync(path, "utf8"));
  const map = new SourceMap(JSON.parse(readFileSync(`${path}.map`, "utf8")));
  const called = functions.filter(({ ranges }) => (ranges[0]?.count ?? 0) > 0);
  return called.map(({ ranges }) => {
    const startOffset = ranges[0]?.startOffset ?? 0;
    const line = starts.findLastIndex((start) => start <= startOffset);
    const entry = map.findEntry(line, startOffset - (starts[line] ?? 0));
    const originalSource = "originalSource" in entry ? entry.originalSource : "";
    return relative(root, resolve(dirname(path), originalSource));
  });
}

/**
 * Sends one request and reads its answer to the end.
 * @param {{ stream: boolean }} members
 */
async function complete(members) {
  const headers = { authorization: `Bearer ${secret}`, "content-type": "application/json" };
  const req = request({ port: router.port, path: "/router/v1/chat/completions", method: "POST", headers });
  req.end(JSON.stringify({ model: "public", messages: [{ role: "user", content: "Hi" }], ...members }));
  const [res] = await once(req, "response");
  const text = await readText(res);
  if (res.statusCode !== 200 || !text.includes("token")) throw new Error(`The gateway answered ${text}`);
}

/**
 * Answers as OpenAI does, with another model name than the public one.
 * @type {(req: import("node:http").IncomingMessage, res: import("node:http").ServerResponse) => Promise<void>}
 */
async function answerAsUpstream(req, res) {
  const common = '"id":"chatcmpl-1","created":1763700000,"model":"hidden"';
  const usage = '"usage":{"prompt_tokens":42,"completion_tokens":20,"total_tokens":62}';
  const { stream } = JSON.parse(await readText(req));
  if (stream !== true) {
    const message = '{"role":"assistant","content":"token"}';
    res.setHeader("content-type", "application/json");
    res.end(
      `{${common},"object":"chat.completion","choices":[{"index":0,"message":${message},"finish_reason":"stop"}],${usage}}`,
    );
    return;
  }
  res.setHeader("content-type", "text/event-stream");
  const send = (/** @type {string} */ rest) =>
    res.write(`data: {${common},"object":"chat.completion.chunk",${rest}}\n\n`);
  const frame = (/** @type {string} */ delta, finish = "null") =>
    send(`"choices":[{"index":0,"delta":${delta},"finish_reason":${finish}}]`);
  frame('{"role":"assistant","content":""}');
  for (let count = 0; count < 20; count += 1) {
    frame('{"content":" token"}');
    await setImmediate();
  }
  frame("{}", '"stop"');
  send(`"choices":[],${usage}`);
  res.end("data: [DONE]\n\n");
}

/** @param {import("node:http").RequestListener} handler */
async function listen(handler) {
  const server = createServer(handler).listen(0);
  await once(server, "listening");
  const address = server.address();
  return { port: typeof address === "object" && address !== null ? address.port : 0 };
}

/** @param {string} text */
function lineStarts(text) {
  const starts = [0];
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return starts;
}

/**
 * A gateway with every check on, in front of a provider at this port.
 * @param {number} port
 */
async function openGateway(port) {
  const provider = openaiCompatible({ baseURL: `http://127.0.0.1:${port}/v1`, apiKey: "sk-upstream-0123456789" });
  const keys = memoryKeyStore();
  const balances = memoryBalanceStore();
  const version = { id: "terms-1", version: "1", acceptUrl: "https://host.example/terms" };
  const opened = createGateway({
    models: [
      {
        id: "public",
        contextWindow: 128_000,
        maxOutputTokens: 16_384,
        price: { input: "0.15", output: "0.60" },
        targets: [{ provider, model: "hidden" }],
      },
    ],
    keys,
    balances,
    plans: [{ id: "prepaid", billing: "prepaid", limits }],
    terms: { store: memoryTermsStore(), versions: [version] },
    transport: pooledTransport(),
  });
  await opened.terms.accept("acme", version.id);
  balances.credit({ id: "start", account: "acme", amount: 10n ** 18n, reason: "start" });
  return { gateway: opened, secret: (await keys.create({ account: "acme", plan: "prepaid" })).secret };
}
