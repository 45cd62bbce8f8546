const { once } = require("node:events");
const { createServer } = require("node:http");

/**
 * Mounts a gateway with every adapter in frameworks that are loaded by `require`, and requests from each its models, a
 * completion and a stream. `load` loads the packages of Tollgate, by `require` or by `import`.
 */
async function probe(load) {
  const upstream = await serve(createServer(answerAsUpstream));
  try {
    const { gateway, secret } = await makeGateway(await load("@tollgate/core"), upstream.url);
    const results = {};
    for (const [name, start] of Object.entries(hosts)) {
      const host = await serve(await start(load, gateway));
      results[name] = await ask(host.url, secret).finally(host.close);
    }
    return results;
  } finally {
    await upstream.close();
  }
}

const prefix = "/router/v1";

const hosts = {
  "node:http": async (load, gateway) => createServer((await load("@tollgate/node")).nodeHandler(gateway, { prefix })),
  "express 5": async (load, gateway) => {
    const app = require("express")();
    return createServer(app.use(prefix, (await load("@tollgate/express")).tollgate(gateway)));
  },
  "express 4": async (load, gateway) => {
    const app = require("express4")();
    return createServer(app.use(prefix, (await load("@tollgate/express")).tollgate(gateway)));
  },
  fastify: async (load, gateway) => {
    const app = require("fastify")();
    await app.register((await load("@tollgate/fastify")).tollgate, { gateway, prefix });
    await app.ready();
    return app.server;
  },
  hono: async (load, gateway) => {
    const { Hono } = require("hono");
    const { getRequestListener } = require("@hono/node-server");
    const app = new Hono().use(`${prefix}/*`, (await load("@tollgate/hono")).tollgate(gateway));
    return createServer(getRequestListener(app.fetch));
  },
};

async function makeGateway(core, upstreamURL) {
  const keys = core.memoryKeyStore();
  const provider = core.openaiCompatible({ baseURL: upstreamURL, apiKey: "sk-upstream" });
  const targets = [{ provider, model: "upstream-model" }];
  const gateway = core.createGateway({
    keys,
    balances: core.memoryBalanceStore(),
    plans: [{ id: "free", billing: "none" }],
    models: [{ id: "plain", maxOutputTokens: 1_000, price: "free", targets }],
    observer: ({ cause }) => cause && console.error(cause),
  });
  return { gateway, secret: (await keys.create({ account: "acme", plan: "free" })).secret };
}

async function ask(url, secret) {
  const headers = { authorization: `Bearer ${secret}`, "content-type": "application/json", connection: "close" };
  const chat = (members) =>
    fetch(`${url}${prefix}/chat/completions`, {
      method: "POST",
      headers,
      body: JSON.stringify({ model: "plain", messages: [{ role: "user", content: "Hello" }], ...members }),
    });
  const models = await fetch(`${url}${prefix}/models`, { headers });
  const completion = await chat({});
  const stream = await chat({ stream: true });
  return {
    models: [models.status, (await models.json()).data?.length],
    completion: [completion.status, (await completion.json()).choices?.[0].message.content],
    stream: [stream.status, (await stream.text()).endsWith("data: [DONE]\n\n")],
  };
}

async function answerAsUpstream(req, res) {
  const parts = [];
  for await (const part of req) parts.push(part);
  const { stream } = JSON.parse(Buffer.concat(parts).toString());
  const head = { id: "chatcmpl-1", created: 1_700_000_000, model: "upstream-model" };
  const message = { role: "assistant", content: "Hi" };
  const answer = {
    ...head,
    object: stream ? "chat.completion.chunk" : "chat.completion",
    choices: [{ index: 0, [stream ? "delta" : "message"]: message, finish_reason: "stop" }],
  };
  res.setHeader("content-type", stream ? "text/event-stream" : "application/json");
  res.end(stream ? `data: ${JSON.stringify(answer)}\n\ndata: [DONE]\n\n` : JSON.stringify(answer));
}

async function serve(server) {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    close: () => new Promise((closed) => server.close(closed).closeAllConnections()),
  };
}

module.exports = { probe };
