import { once } from "node:events";
import type { Socket } from "node:net";
import { buffer } from "node:stream/consumers";
import type { ResponseStream } from "@tollgate/core/internal";
import type { ByteSink } from "@tollgate/core/provider";
import { describe, expect, it } from "vitest";
import { chunk, post, receive } from "../../test-support/receive.ts";
import { untilSteady } from "../../test-support/until-steady.ts";
import { withoutBackpressure } from "../../test-support/without-backpressure.ts";
import { writeAnswer } from "./write-answer.ts";

const request = post("", ["connection: close"]);

/** A body that the test controls. It counts the drain notifications and cancellations. */
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

/** More bytes than the buffers of both sockets hold when the client does not read. */
const tooMuch = Buffer.alloc(16_777_216, "x");

function unopened(): void {
  throw new Error("The stream has no sink yet.");
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
    ["more ASCII than one write sends", "x".repeat(200_000)],
    ["Latin-1 characters", "Gr\u00fc\u00dfe \u0080\u00ff"],
    ["a letter in the middle of ASCII", `${"x".repeat(70_000)}é${"x".repeat(70_000)}`],
    ["characters outside Latin-1", "猫 🙂"],
    ["a lone surrogate", "\ud83d"],
  ])("is sent byte for byte with its length: %s", async (_what, body) => {
    const { res, client } = await receive(request);
    const length = Buffer.byteLength(body);
    writeAnswer({ status: 200, headers: { "content-length": String(length) }, body }, res, withoutBackpressure);
    const answer = await answerOf(client);
    expect(answer.head).toContain(`content-length: ${length}`);
    expect(answer.body.equals(Buffer.from(body))).toBe(true);
  });

  it("is sent byte for byte if it is bytes", async () => {
    const { res, client } = await receive(request);
    const body = Uint8Array.from({ length: 256 }, (_, byte) => byte);
    writeAnswer({ status: 200, headers: { "content-length": "256" }, body }, res, withoutBackpressure);
    expect((await answerOf(client)).body.equals(Buffer.from(body))).toBe(true);
  });

  it("is sent as UTF-8 without a length too", async () => {
    const { res, client } = await receive(request);
    writeAnswer({ status: 200, headers: {}, body: "Grüße" }, res, withoutBackpressure);
    const { head, body } = await answerOf(client);
    expect(head).toMatch(/transfer-encoding: chunked/i);
    expect(body).toEqual(Buffer.from(`${chunk("Grüße")}0\r\n\r\n`));
  });
});

it("ends a response without a body after its head", async () => {
  const { res, client } = await receive(request);
  writeAnswer({ status: 204, headers: { "x-request-id": "req_1" }, body: null }, res, withoutBackpressure);
  const { head, body } = await answerOf(client);
  expect(head).toMatch(/^HTTP\/1\.1 204 /);
  expect([head.includes("x-request-id: req_1"), body.length]).toEqual([true, 0]);
});

it("keeps the host's headers, but replaces those that it sets itself", async () => {
  const { res, client } = await receive(request);
  res.setHeader("Access-Control-Allow-Origin", "*");
  res.setHeader("Content-Type", "text/html");
  writeAnswer(
    { status: 400, headers: { "content-type": "application/json", "content-length": "2" }, body: "{}" },
    res,
    withoutBackpressure,
  );
  const { head } = await answerOf(client);
  expect(head).toMatch(/^HTTP\/1\.1 400 /);
  expect(head).toMatch(/\r\naccess-control-allow-origin: \*/i);
  expect(head.match(/content-type: [^\r]*/gi)).toEqual(["content-type: application/json"]);
});

it("passes the text to an `end` method that the host has replaced", async () => {
  const { res, client } = await receive(request);
  const { end } = res;
  const seen: unknown[] = [];
  const wrapped = (...given: unknown[]) => {
    seen.push(...given);
    return end.call(res, String(given[0]), "latin1");
  };
  Object.assign(res, { end: wrapped });
  writeAnswer({ status: 200, headers: { "content-length": "2" }, body: "{}" }, res, withoutBackpressure);
  expect([seen, String((await answerOf(client)).body)]).toEqual([["{}"], "{}"]);
});

describe("a stream", () => {
  async function open() {
    const received = await receive(request);
    const stream = new TestStream();
    writeAnswer(
      { status: 200, headers: { "content-type": "text/event-stream" }, body: stream },
      received.res,
      withoutBackpressure,
    );
    return { ...received, stream };
  }

  it("sends its headers before the first chunk", async () => {
    const { client, stream } = await open();
    const [head] = await once(client, "data");
    expect(String(head)).toMatch(/^HTTP\/1\.1 200 .*\r\ncontent-type: text\/event-stream\r\n.*\r\n\r\n$/s);
    stream.sink.write(Buffer.from("data: 1\n\n"));
    const [first] = await once(client, "data");
    expect(String(first)).toBe(chunk("data: 1\n\n"));
  });

  it("is sent by a response without a socket, such as those of workerd", async () => {
    const { res, client } = await receive(request);
    const withoutSocket = new Proxy(res, {
      get(target, name) {
        const value = name === "socket" ? undefined : Reflect.get(target, name);
        return typeof value === "function" ? value.bind(target) : value;
      },
    });
    const stream = new TestStream();
    writeAnswer({ status: 200, headers: {}, body: stream }, withoutSocket, withoutBackpressure);
    stream.sink.write(Buffer.from("one"));
    stream.sink.close();
    expect(String((await answerOf(client)).body)).toBe(`${chunk("one")}0\r\n\r\n`);
  });

  it("ends properly when it closes", async () => {
    const { client, stream } = await open();
    stream.sink.write(Buffer.from("one"));
    stream.sink.write(Buffer.from("two"));
    stream.sink.close();
    expect(String((await answerOf(client)).body)).toBe(`${chunk("one")}${chunk("two")}0\r\n\r\n`);
    expect(stream.takes).toBe(2);
  });

  it("closes the connection without a regular end when it fails", async () => {
    const { client, stream } = await open();
    stream.sink.write(Buffer.from("one"));
    await once(client, "data");
    const rest = buffer(client);
    stream.sink.fail(new Error("It failed."));
    expect(String(await rest)).not.toContain("0\r\n\r\n");
    expect(client.destroyed).toBe(true);
  });

  it("is cancelled when the host ends the response itself, even if more is written", async () => {
    const { res, client, stream } = await open();
    stream.sink.write(Buffer.from("one"));
    res.end();
    stream.sink.write(Buffer.from("two"));
    // Not `once`, which rejects because of the "error" event that comes first.
    await new Promise((resolve) => res.on("close", resolve));
    expect(stream.cancels).toBeGreaterThan(0);
    client.destroy();
  });

  it("is cancelled when the host has already answered", async () => {
    const { res } = await receive(request);
    const stream = new TestStream();
    res.writeHead(503).end();
    expect(() => writeAnswer({ status: 200, headers: {}, body: stream }, res, withoutBackpressure)).toThrow(/headers/i);
    expect(stream.cancels).toBe(1);
  });

  it("continues when the host has wrapped `write` and it returns undefined", async () => {
    const { res, stream } = await open();
    const { write } = res;
    const wrapped = (chunk: Uint8Array) => void write.call(res, chunk, "utf8");
    Object.assign(res, { write: wrapped });
    stream.sink.write(Buffer.from("one"));
    expect(stream.takes).toBe(1);
  });

  it("pauses while the client does not read, and continues when it does", async () => {
    const { client, stream } = await open();
    const part = Buffer.alloc(65_536, "x");
    const parts = 512;
    let written = 0;
    const writeNext = () => {
      if (written === parts) return stream.sink.close();
      written += 1;
      stream.sink.write(part);
    };
    // Deferred, because `onDrain` is called from within `write`.
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

  it("closes the connection of a client that does not read the end in time", async () => {
    const { res, stream } = await open();
    stream.stalledMs = 300;
    stream.sink.write(tooMuch);
    stream.sink.close();
    expect(res.writableFinished).toBe(false);
    await expect.poll(() => res.destroyed).toBe(true);
  });

  it("keeps the connection of a client that reads the end in time", async () => {
    const { res, client, stream } = await open();
    stream.stalledMs = 300;
    stream.sink.write(tooMuch);
    stream.sink.close();
    expect((await answerOf(client)).body.subarray(-5).toString()).toBe("0\r\n\r\n");
    expect(res.writableFinished).toBe(true);
  });
});
