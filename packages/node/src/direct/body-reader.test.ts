import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import { bodyReceiver } from "../../test-support/body-receiver.ts";
import { chunk, post, receive } from "../../test-support/receive.ts";
import { BodyReader } from "./read-body.ts";

const chunked = ["transfer-encoding: chunked"];
const maxBytes = 1_000;

/** Sends the bytes to a server. `results` collects what the reader resolves or rejects with, in order. */
async function readFrom(bytes: string) {
  const received = await receive(bytes);
  const results: (Uint8Array | undefined | Error)[] = [];
  const take = (each: Uint8Array | undefined | Error) => void results.push(each);
  const read = () =>
    new BodyReader(
      received.req,
      maxBytes,
      bodyReceiver(take, (cause) => take(cause instanceof Error ? cause : new Error(String(cause)))),
    );
  return { ...received, results, read };
}

it("resolves with a body of one chunk without copying it", async () => {
  const { req, results, read } = await readFrom(post("x".repeat(maxBytes)));
  const chunks: Buffer[] = [];
  req.on("data", (each) => chunks.push(each));
  read();
  await expect.poll(() => results).toHaveLength(1);
  expect(chunks.map(String)).toEqual(["x".repeat(maxBytes)]);
  expect(results[0]).toBe(chunks[0]);
});

it("joins the chunks of a body in order", async () => {
  const { client, results, read } = await readFrom(post(chunk("Gr"), chunked));
  read();
  for (const part of ["ü", "ß", "e"]) {
    client.write(chunk(part));
    await sleep(5);
  }
  expect(results).toEqual([]);
  client.write("0\r\n\r\n");
  await expect.poll(() => results).toEqual([Buffer.from("Grüße")]);
});

it("resolves with no bytes for an empty body", async () => {
  const { results, read } = await readFrom(post());
  read();
  await expect.poll(() => results).toEqual([Buffer.alloc(0)]);
});

it("stops reading a body that exceeds the limit", async () => {
  const { req, client, results, read } = await readFrom(post(chunk("x".repeat(maxBytes)), chunked));
  read();
  await expect.poll(() => req.readableDidRead).toBe(true);
  expect(results).toEqual([]);
  // More bytes than the buffers of the connection hold.
  const rest = 32 * 1024 * 1024;
  client.write(chunk("x".repeat(rest)));
  await expect.poll(() => results).toEqual([undefined]);
  await sleep(100);
  expect(req.socket.bytesRead).toBeLessThan(rest / 8);
  expect(client.writableLength).toBeGreaterThan(0);
});

it("rejects when the client disconnects in the middle of the body", async () => {
  const { client, results, read } = await readFrom(post("half", ["content-length: 8"]));
  read();
  client.resetAndDestroy();
  await expect
    .poll(() => results)
    .toEqual([new Error("The client closed the connection before the request was complete.")]);
});

it("rejects at once for a request that is already destroyed", async () => {
  const { req, client, results, read } = await readFrom(post("half", ["content-length: 8"]));
  // `once` would reject because of the "error" event, which comes first.
  const closed = new Promise((resolve) => req.on("close", resolve));
  client.resetAndDestroy();
  await closed;
  read();
  expect(results).toEqual([new Error("The client closed the connection before the request was complete.")]);
});

it("settles only once, even if more of the body or a disconnect follows", async () => {
  const whole = await readFrom(post("whole"));
  const tooLarge = await readFrom(post(chunk("x".repeat(maxBytes + 1)), chunked));
  const destroyed = await readFrom(post("half", ["content-length: 8"]));
  destroyed.req.destroy();
  const all = [whole, tooLarge, destroyed];
  for (const { read } of all) read();
  await expect.poll(() => all.map(({ results }) => results.length)).toEqual([1, 1, 1]);
  // Now the rest of the body and its end arrive.
  tooLarge.req.resume();
  tooLarge.client.write(`${chunk("more")}0\r\n\r\n`);
  await once(tooLarge.req, "end");
  for (const { client } of all) client.resetAndDestroy();
  await expect.poll(() => all.map(({ req }) => req.closed)).toEqual([true, true, true]);
  expect(all.map(({ results }) => results)).toEqual([[Buffer.from("whole")], [undefined], [expect.any(Error)]]);
});
