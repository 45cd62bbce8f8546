import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import { bodyReceiver } from "../../test-support/body-receiver.ts";
import { chunk, post, receive } from "../../test-support/receive.ts";
import { BodyReader } from "./read-body.ts";

const chunked = ["transfer-encoding: chunked"];
const maxBytes = 1_000;

/** What a reader said, in order. */
async function readFrom(bytes: string) {
  const received = await receive(bytes);
  const said: (Uint8Array | undefined | Error)[] = [];
  const take = (each: Uint8Array | undefined | Error) => void said.push(each);
  const read = () =>
    new BodyReader(
      received.req,
      maxBytes,
      bodyReceiver(take, (cause) => take(cause instanceof Error ? cause : new Error(String(cause)))),
    );
  return { ...received, said, read };
}

it("gives a body of one chunk without copying it", async () => {
  const { req, said, read } = await readFrom(post("x".repeat(maxBytes)));
  const chunks: Buffer[] = [];
  req.on("data", (each) => chunks.push(each));
  read();
  await expect.poll(() => said).toHaveLength(1);
  expect(chunks.map(String)).toEqual(["x".repeat(maxBytes)]);
  expect(said[0]).toBe(chunks[0]);
});

it("joins a body of many chunks in their order", async () => {
  const { client, said, read } = await readFrom(post(chunk("Gr"), chunked));
  read();
  for (const part of ["ü", "ß", "e"]) {
    client.write(chunk(part));
    await sleep(5);
  }
  expect(said).toEqual([]);
  client.write("0\r\n\r\n");
  await expect.poll(() => said).toEqual([Buffer.from("Grüße")]);
});

it("gives an empty body", async () => {
  const { said, read } = await readFrom(post());
  read();
  await expect.poll(() => said).toEqual([Buffer.alloc(0)]);
});

it("leaves the rest of a body with too many bytes unread", async () => {
  const { req, client, said, read } = await readFrom(post(chunk("x".repeat(maxBytes)), chunked));
  read();
  await expect.poll(() => req.readableDidRead).toBe(true);
  expect(said).toEqual([]);
  // More than the buffers of a connection hold.
  const rest = 32 * 1024 * 1024;
  client.write(chunk("x".repeat(rest)));
  await expect.poll(() => said).toEqual([undefined]);
  await sleep(100);
  expect(req.socket.bytesRead).toBeLessThan(rest / 8);
  expect(client.writableLength).toBeGreaterThan(0);
});

it("rejects when the client leaves in the middle", async () => {
  const { client, said, read } = await readFrom(post("half", ["content-length: 8"]));
  read();
  client.resetAndDestroy();
  await expect.poll(() => said).toEqual([new Error("The request was broken off.")]);
});

it("rejects at once for a request that was destroyed before", async () => {
  const { req, client, said, read } = await readFrom(post("half", ["content-length: 8"]));
  // `once` would reject for the error that comes first.
  const closed = new Promise((resolve) => req.on("close", resolve));
  client.resetAndDestroy();
  await closed;
  read();
  expect(said).toEqual([new Error("The request was broken off.")]);
});

it("never speaks twice, whatever comes after its answer", async () => {
  const whole = await readFrom(post("whole"));
  const tooLarge = await readFrom(post(chunk("x".repeat(maxBytes + 1)), chunked));
  const destroyed = await readFrom(post("half", ["content-length: 8"]));
  destroyed.req.destroy();
  const all = [whole, tooLarge, destroyed];
  for (const { read } of all) read();
  await expect.poll(() => all.map(({ said }) => said.length)).toEqual([1, 1, 1]);
  // The rest of the body comes, and its end.
  tooLarge.req.resume();
  tooLarge.client.write(`${chunk("more")}0\r\n\r\n`);
  await once(tooLarge.req, "end");
  for (const { client } of all) client.resetAndDestroy();
  await expect.poll(() => all.map(({ req }) => req.closed)).toEqual([true, true, true]);
  expect(all.map(({ said }) => said)).toEqual([[Buffer.from("whole")], [undefined], [expect.any(Error)]]);
});
