import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import { expect, it } from "vitest";
import { bodyReceiver } from "../../test-support/body-receiver.ts";
import { chunk, post, receive } from "../../test-support/receive.ts";
import { readBody as read } from "./read-body.ts";

const chunked = ["transfer-encoding: chunked"];
const events = ["data", "end", "close"];
const readBody = (req: IncomingMessage, maxBytes: number) =>
  new Promise<Uint8Array | undefined>((resolve, reject) => read(req, maxBytes, bodyReceiver(resolve, reject)));
const listeners = (req: IncomingMessage) => events.map((name) => req.listenerCount(name));

it("reads a body that arrived with its head without adding listeners", async () => {
  const { req } = await receive(post("whole"));
  const reading = readBody(req, 5);
  expect(listeners(req)).toEqual([0, 0, 0]);
  await once(req, "end");
  expect(listeners(req)).toEqual([0, 0, 0]);
  expect(await reading).toEqual(Buffer.from("whole"));
});

it("waits for the rest of a body that arrived only partly with its head", async () => {
  const { req, client } = await receive(post(chunk("half"), chunked));
  const reading = readBody(req, 100);
  await expect.poll(() => listeners(req)).toEqual([1, 1, 1]);
  client.write(`${chunk(" and half")}0\r\n\r\n`);
  expect(await reading).toEqual(Buffer.from("half and half"));
  expect(listeners(req)).toEqual([0, 0, 0]);
});

it.each([
  ["one piece", post("12345678")],
  ["chunks", post(`${chunk("1234")}${chunk("5678")}0\r\n\r\n`, chunked)],
])("counts the bytes of a body in %s", async (_form, bytes) => {
  expect(await readBody((await receive(bytes)).req, 7)).toBeUndefined();
  expect(await readBody((await receive(bytes)).req, 8)).toEqual(Buffer.from("12345678"));
});

it("converts text back to bytes when the host has set an encoding", async () => {
  const { req } = await receive(post("Grüße"));
  req.setEncoding("latin1");
  expect(await readBody(req, 7)).toEqual(Buffer.from("Grüße"));
});

it.each(["before", "after"])("shares the body with a listener that the host adds %s the read", async (when) => {
  const { req } = await receive(post("for both"));
  const seen: Buffer[] = [];
  const listen = () => void req.on("data", (each) => seen.push(each));
  if (when === "before") listen();
  const reading = readBody(req, 100);
  if (when === "after") listen();
  expect(await reading).toEqual(Buffer.from("for both"));
  expect(Buffer.concat(seen)).toEqual(Buffer.from("for both"));
});

it("rejects when the request is destroyed before its complete body is read", async () => {
  const { req } = await receive(post("whole"));
  const reading = readBody(req, 100);
  req.destroy();
  await expect(reading).rejects.toThrow("The client closed the connection before the request was complete.");
});
