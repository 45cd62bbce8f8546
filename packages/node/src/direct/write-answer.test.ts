import { once } from "node:events";
import type { Socket } from "node:net";
import { buffer } from "node:stream/consumers";
import type { ResponseStream } from "@tollgate/core/internal";
import type { ByteSink } from "@tollgate/core/provider";
import { describe, expect, it } from "vitest";
import { chunk, post, receive } from "../../test-support/receive.ts";
import { unpaced } from "../../test-support/unpaced.ts";
import { untilSteady } from "../../test-support/until-steady.ts";
import { writeAnswer } from "./write-answer.ts";

const request = post("", ["connection: close"]);

/** A body that says what a test tells it to, and counts how often more was wanted. */
class TestStream implements ResponseStream {
  stalledMs = 60_000;
  sink: ByteSink = { write: unopened, close: unopened, fail: unopened };
  takes = 0;
  onTaken: () => void = () => undefined;

  pipeTo(sink: ByteSink): void {
    this.sink = sink;
  }

  onDrain(): void {
    this.takes += 1;
    this.onTaken();
  }

  cancels = 0;

  cancel(): void {
    this.cancels += 1;
  }
}

/** More than two sockets take of a client that reads nothing. */
const tooMuch = Buffer.alloc(16_777_216, "x");

function unopened(): void {
  throw new Error("Nothing flows yet.");
}

async function answerOf(client: Socket): Promise<{ readonly head: string; readonly body: Buffer }> {
  const bytes = await buffer(client);
  const end = bytes.indexOf("\r\n\r\n");
  return { head: bytes.toString("latin1", 0, end), body: bytes.subarray(end + 4) };
}

describe("a text", () => {
  it.each([
    ["nothing", ""],
    ["ASCII", '{"a":"plain"}'],
    ["more ASCII than one write takes", "x".repeat(200_000)],
    ["what Latin-1 has", "Gr\u00fc\u00dfe \u0080\u00ff"],
    ["a letter in the middle of ASCII", `${"x".repeat(70_000)}é${"x".repeat(70_000)}`],
    ["what it has not", "猫 🙂"],
    ["half a character", "\ud83d"],
  ])("goes out byte for byte under its length: %s", async (_what, body) => {
    const { res, client } = await receive(request);
    const length = Buffer.byteLength(body);
    writeAnswer({ status: 200, headers: { "content-length": String(length) }, body }, res, unpaced);
    const answer = await answerOf(client);
    expect(answer.head).toContain(`content-length: ${length}`);
    expect(answer.body.equals(Buffer.from(body))).toBe(true);
  });

  it("is UTF-8 without a length as well", async () => {
    const { res, client } = await receive(request);
    writeAnswer({ status: 200, headers: {}, body: "Grüße" }, res, unpaced);
    const { head, body } = await answerOf(client);
    expect(head).toMatch(/transfer-encoding: chunked/i);
    expect(body).toEqual(Buffer.from(`${chunk("Grüße")}0\r\n\r\n`));
  });
});

it("ends an answer without a body with its head", async () => {
  const { res, client } = await receive(request);
  writeAnswer({ status: 204, headers: { "x-request-id": "req_1" }, body: null }, res, unpaced);
  const { head, body } = await answerOf(client);
  expect(head).toMatch(/^HTTP\/1\.1 204 /);
  expect([head.includes("x-request-id: req_1"), body.length]).toEqual([true, 0]);
});

it("keeps headers that the host has set, and its own before theirs", async () => {
  const { res, client } = await receive(request);
  res.setHeader("Access-Control-Allow-Origin", "*");
  res.setHeader("Content-Type", "text/html");
  writeAnswer(
    { status: 400, headers: { "content-type": "application/json", "content-length": "2" }, body: "{}" },
    res,
    unpaced,
  );
  const { head } = await answerOf(client);
  expect(head).toMatch(/^HTTP\/1\.1 400 /);
  expect(head).toMatch(/\r\naccess-control-allow-origin: \*/i);
  expect(head.match(/content-type: [^\r]*/gi)).toEqual(["content-type: application/json"]);
});

it("shows its text to what the host has put in the place of `end`, which may keep some of it back", async () => {
  const { res, client } = await receive(request);
  const { end } = res;
  const seen: unknown[] = [];
  const wrapped = (...given: unknown[]) => {
    seen.push(...given);
    return end.call(res, String(given[0]), "latin1");
  };
  Object.assign(res, { end: wrapped });
  writeAnswer({ status: 200, headers: { "content-length": "2" }, body: "{}" }, res, unpaced);
  expect([seen, String((await answerOf(client)).body)]).toEqual([["{}"], "{}"]);
});

describe("a stream", () => {
  async function open() {
    const received = await receive(request);
    const stream = new TestStream();
    writeAnswer({ status: 200, headers: { "content-type": "text/event-stream" }, body: stream }, received.res, unpaced);
    return { ...received, stream };
  }

  it("sends its headers before there is a first chunk", async () => {
    const { client, stream } = await open();
    const [head] = await once(client, "data");
    expect(String(head)).toMatch(/^HTTP\/1\.1 200 .*\r\ncontent-type: text\/event-stream\r\n.*\r\n\r\n$/s);
    stream.sink.write(Buffer.from("data: 1\n\n"));
    const [first] = await once(client, "data");
    expect(String(first)).toBe(chunk("data: 1\n\n"));
  });

  it("ends properly when it closes", async () => {
    const { client, stream } = await open();
    stream.sink.write(Buffer.from("one"));
    stream.sink.write(Buffer.from("two"));
    stream.sink.close();
    expect(String((await answerOf(client)).body)).toBe(`${chunk("one")}${chunk("two")}0\r\n\r\n`);
    expect(stream.takes).toBe(2);
  });

  it("breaks the connection off without an end when it fails", async () => {
    const { client, stream } = await open();
    stream.sink.write(Buffer.from("one"));
    await once(client, "data");
    const rest = buffer(client);
    stream.sink.fail(new Error("It failed."));
    expect(String(await rest)).not.toContain("0\r\n\r\n");
    expect(client.destroyed).toBe(true);
  });

  it("is cancelled when the host ends the response itself, whatever is written after that", async () => {
    const { res, client, stream } = await open();
    stream.sink.write(Buffer.from("one"));
    res.end();
    stream.sink.write(Buffer.from("two"));
    // Not `once`, which rejects for the error that comes first.
    await new Promise((resolve) => res.on("close", resolve));
    expect(stream.cancels).toBeGreaterThan(0);
    client.destroy();
  });

  it("is cancelled when the host has answered before it", async () => {
    const { res } = await receive(request);
    const stream = new TestStream();
    res.writeHead(503).end();
    expect(() => writeAnswer({ status: 200, headers: {}, body: stream }, res, unpaced)).toThrow(/headers/i);
    expect(stream.cancels).toBe(1);
  });

  it("goes on through a response whose `write` was wrapped and says nothing", async () => {
    const { res, stream } = await open();
    const { write } = res;
    const says = (chunk: Uint8Array) => void write.call(res, chunk, "utf8");
    Object.assign(res, { write: says });
    stream.sink.write(Buffer.from("one"));
    expect(stream.takes).toBe(1);
  });

  it("counts nothing as taken while the client does not read, and goes on when it does", async () => {
    const { client, stream } = await open();
    const part = Buffer.alloc(65_536, "x");
    const parts = 512;
    let written = 0;
    const writeNext = () => {
      if (written === parts) return stream.sink.close();
      written += 1;
      stream.sink.write(part);
    };
    // Not at once: `onDrain` comes from within `write`.
    stream.onTaken = () => void setImmediate(writeNext);
    writeNext();
    const stopped = await untilSteady(() => written);
    expect(stopped).toBeLessThan(parts / 2);
    expect(stream.takes).toBe(stopped - 1);
    const { body } = await answerOf(client);
    expect(written).toBe(parts);
    expect(body.toString("latin1").split("x".repeat(65_536)).length - 1).toBe(parts);
    expect(body.subarray(-5).toString()).toBe("0\r\n\r\n");
  });

  it("breaks off a client that leaves the end lying for too long", async () => {
    const { res, stream } = await open();
    stream.stalledMs = 300;
    stream.sink.write(tooMuch);
    stream.sink.close();
    expect(res.writableFinished).toBe(false);
    await expect.poll(() => res.destroyed).toBe(true);
  });

  it("breaks off no client that takes the end in time", async () => {
    const { res, client, stream } = await open();
    stream.stalledMs = 300;
    stream.sink.write(tooMuch);
    stream.sink.close();
    expect((await answerOf(client)).body.subarray(-5).toString()).toBe("0\r\n\r\n");
    expect(res.writableFinished).toBe(true);
  });
});
