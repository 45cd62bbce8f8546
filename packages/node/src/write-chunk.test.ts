import { buffer } from "node:stream/consumers";
import { expect, it } from "vitest";
import { chunk, post, receive } from "../test-support/receive.ts";
import { writeChunk } from "./write-chunk.ts";

const request = post("", ["connection: close"]);

async function received(head = request) {
  const { res, client } = await receive(head);
  res.writeHead(200, { "content-type": "text/event-stream" }).flushHeaders();
  const body = async () => {
    const bytes = await buffer(client);
    return bytes.toString("latin1", bytes.indexOf("\r\n\r\n") + 4);
  };
  return { res, body };
}

it.each([1, 2, 15, 16, 17, 255, 256, 4_095, 4_096, 16_384, 16_385, 65_536])(
  "puts %i bytes into one chunk",
  async (length) => {
    const { res, body } = await received();
    writeChunk(res, Buffer.alloc(length, "x"));
    res.end();
    expect(await body()).toBe(`${chunk("x".repeat(length))}0\r\n\r\n`);
  },
);

it("writes nothing for no bytes, which would end the body", async () => {
  const { res, body } = await received();
  writeChunk(res, Buffer.from("one"));
  writeChunk(res, new Uint8Array());
  writeChunk(res, Buffer.from("two"));
  res.end();
  expect(await body()).toBe(`${chunk("one")}${chunk("two")}0\r\n\r\n`);
});

it("hands on a view of a larger buffer, and bytes that are no Buffer", async () => {
  const { res, body } = await received();
  writeChunk(res, new Uint8Array(Buffer.from("a longer text")).subarray(2, 8));
  res.end();
  expect(await body()).toBe(`${chunk("longer")}0\r\n\r\n`);
});

it("leaves what the host writes between to Node", async () => {
  const { res, body } = await received();
  writeChunk(res, Buffer.from("ours"));
  res.write(": from the host\n\n");
  writeChunk(res, Buffer.from("ours"));
  res.end("the end");
  expect(await body()).toBe(
    `${chunk("ours")}${chunk(": from the host\n\n")}${chunk("ours")}${chunk("the end")}0\r\n\r\n`,
  );
});

it("stays behind what the host has corked", async () => {
  const { res, body } = await received();
  res.cork();
  res.write("first ");
  writeChunk(res, Buffer.from("second"));
  res.uncork();
  writeChunk(res, Buffer.from("third"));
  res.end();
  // Later versions of Node make one chunk of what is corked.
  expect(await body()).toMatch(/^\w\r\nfirst (\r\n6\r\n)?second\r\n5\r\nthird\r\n0\r\n\r\n$/);
});

it("shows the body itself to what the host has put in the place of write", async () => {
  const { res, body } = await received();
  const { write } = res;
  const seen: string[] = [];
  res.write = (given: Uint8Array) => {
    seen.push(String(given));
    return write.call(res, given, "utf8");
  };
  writeChunk(res, Buffer.from("one"));
  res.end();
  expect([seen, await body()]).toEqual([["one"], `${chunk("one")}0\r\n\r\n`]);
});

it("needs no chunks where the client knows none", async () => {
  const { res, body } = await received(request.replace("HTTP/1.1", "HTTP/1.0"));
  writeChunk(res, Buffer.from("one"));
  writeChunk(res, Buffer.from("two"));
  res.end();
  expect(await body()).toBe("onetwo");
});

it("keeps the connection for the next answer", async () => {
  const { client } = await receive(post(), (_req, res) => {
    res.writeHead(200);
    for (const word of ["one", "two"]) writeChunk(res, Buffer.from(word));
    res.end();
  });
  client.end(post() + post("", ["connection: close"]));
  const answers = (await buffer(client)).toString("latin1").split("HTTP/1.1 200 OK").slice(1);
  const body = `\r\n\r\n${chunk("one")}${chunk("two")}0\r\n\r\n`;
  expect(answers.map((answer) => answer.endsWith(body))).toEqual([true, true, true]);
});
