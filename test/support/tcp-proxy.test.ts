import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { afterEach, expect, it } from "vitest";
import { TcpProxy } from "./tcp-proxy.ts";

const ends: (() => void)[] = [];
afterEach(() => {
  for (const end of ends.splice(0)) end();
});

/** Starts an echo server and a proxy to it; `open` connects a client that records the received text. */
async function echo() {
  const server = createServer((socket) => socket.on("error", () => undefined).pipe(socket)).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const proxy = await TcpProxy.to(`tcp://127.0.0.1:${typeof address === "object" ? address?.port : 0}`);
  ends.push(
    () => server.close(),
    () => proxy.stop(),
  );
  return { proxy, open: () => open(proxy) };
}

async function open(proxy: TcpProxy) {
  const { port } = new URL(proxy.url);
  const client: Socket = connect(Number(port), "127.0.0.1");
  let text = "";
  let failure = "";
  client.on("data", (bytes) => {
    text += String(bytes);
  });
  client.on("error", (error) => {
    failure = error.message;
  });
  ends.push(() => client.destroy());
  await new Promise((resolve) => client.once("connect", resolve).once("close", resolve));
  return { client, text: () => text, failure: () => failure };
}

it("forwards bytes in both directions", async () => {
  const { client, text } = await (await echo()).open();
  client.write("one");
  await expect.poll(text).toBe("one");
});

it("holds back bytes while packets are lost, on existing and new connections", async () => {
  const { proxy, open } = await echo();
  const old = await open();
  proxy.network = "lost";
  const fresh = await open();
  old.client.write("one");
  fresh.client.write("two");
  await pause(100);
  expect([old.text(), fresh.text()]).toEqual(["", ""]);
  proxy.network = "pass";
  await expect.poll(() => [old.text(), fresh.text()]).toEqual(["one", "two"]);
});

it("holds back the end of a connection while packets are lost", async () => {
  const server = createServer((socket) => socket.on("error", () => undefined)).listen(0, "127.0.0.1");
  await once(server, "listening");
  ends.push(() => server.close());
  const accepted = once(server, "connection");
  const address = server.address();
  const proxy = await TcpProxy.to(`tcp://127.0.0.1:${typeof address === "object" ? address?.port : 0}`);
  ends.push(() => proxy.stop());
  const { client } = await open(proxy);
  const [socket] = await accepted;
  let isEnded = false;
  client.once("end", () => {
    isEnded = true;
  });
  proxy.network = "lost";
  socket.end();
  await pause(100);
  expect(isEnded).toBe(false);
  proxy.network = "pass";
  await expect.poll(() => isEnded).toBe(true);
});

it("resets every connection until the network is restored", async () => {
  const { proxy, open } = await echo();
  const old = await open();
  proxy.network = "reset";
  await expect.poll(old.failure).toContain("ECONNRESET");
  const refused = await open();
  await expect.poll(refused.failure).toContain("ECONNRESET");
  proxy.network = "pass";
  const { client, text } = await open();
  client.write("again");
  await expect.poll(text).toBe("again");
});

it("delays bytes by the given time and keeps their order, even after the delay is removed", async () => {
  const { proxy, open } = await echo();
  const { client, text } = await open();
  proxy.network = { lateMs: 60 };
  const startedAt = performance.now();
  for (const word of ["one ", "two ", "three"]) client.write(word);
  await pause(30);
  proxy.network = "pass";
  client.write(" four");
  await expect.poll(text).toBe("one two three four");
  expect(performance.now() - startedAt).toBeGreaterThanOrEqual(59);
});

it("moves new connections to another server, and resets the others when it is told to", async () => {
  const { proxy, open } = await echo();
  const { proxy: other } = await echo();
  const old = await open();
  proxy.network = "lost";
  const resetOld = proxy.moveTo(other.url);
  const fresh = await open();
  for (const { client } of [old, fresh]) client.write("one");
  await expect.poll(fresh.text).toBe("one");
  expect([old.text(), old.failure()]).toEqual(["", ""]);
  resetOld();
  await expect.poll(old.failure).toContain("ECONNRESET");
  fresh.client.write(" two");
  await expect.poll(fresh.text).toBe("one two");
});
