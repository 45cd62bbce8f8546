import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from "node:zlib";
import { webhookRunner } from "@tollgate/node";
import { describe, expect, it } from "vitest";
import { openSocketTarget, openTarget } from "./open-target.ts";
import { runCall, textOf } from "./run-call.ts";

const call = (port: number, method: "GET" | "POST" = "POST") =>
  runCall(webhookRunner({ allowedTargets: [`127.0.0.1:${port}`] }), `http://127.0.0.1:${port}/`, { method });

/** Answers every connection with these octets once a request has begun to arrive, and closes it. */
const openRaw = (...octets: readonly (string | Uint8Array)[]) =>
  openSocketTarget((socket) =>
    socket.once("data", () => {
      for (const each of octets) socket.write(each);
      socket.end();
    }),
  );

describe("a compressed answer", () => {
  const text = JSON.stringify({ text: "ä€😀".repeat(1_000) });
  it.each([
    ["gzip", gzipSync(text)],
    ["X-GZIP", gzipSync(text)],
    ["deflate", deflateSync(text)],
    ["deflate", deflateRawSync(text)],
    ["br", brotliCompressSync(text)],
    ["identity", Buffer.from(text)],
    ["deflate, gzip", gzipSync(deflateSync(text))],
    ["br,identity , gzip", gzipSync(brotliCompressSync(text))],
  ])("in %s is read", async (encoding, body) => {
    const port = await openTarget((_, response) => response.writeHead(200, { "content-encoding": encoding }).end(body));
    expect(textOf(await call(port))).toBe(text);
  });

  it.each([
    ["with three encodings", "gzip, gzip, gzip", gzipSync(gzipSync(gzipSync(text)))],
    ["in an encoding that nobody knows", "zstd", Buffer.from(text)],
    ["that is not compressed at all", "gzip", Buffer.from(text)],
    ["that is no brotli", "br", Buffer.from(text)],
    ["that lacks its end", "gzip", gzipSync(text).subarray(0, -9)],
    ["that lacks its end in brotli", "br", brotliCompressSync(text).subarray(0, -3)],
    ["whose inner encoding is broken", "br, gzip", gzipSync(text)],
  ])("%s is no answer", async (_what, encoding, body) => {
    const port = await openTarget((_, response) => response.writeHead(200, { "content-encoding": encoding }).end(body));
    expect(await call(port)).toMatchObject({ failure: "invalid_response", certainty: "unknown", status: 200 });
  });

  it("without a body is empty", async () => {
    const port = await openTarget((_, response) => response.writeHead(204, { "content-encoding": "gzip" }).end());
    expect(textOf(await call(port))).toBe("");
    const empty = await openTarget((_, response) => response.writeHead(200, { "content-encoding": "br" }).end());
    expect(textOf(await call(empty))).toBe("");
  });

  it.each([
    ["gzip", gzipSync(Buffer.alloc(64 * 1_048_576))],
    ["br", brotliCompressSync(Buffer.alloc(64 * 1_048_576))],
    ["gzip, gzip", gzipSync(gzipSync(Buffer.alloc(64 * 1_048_576)))],
  ])("that grows without end in %s is given up although it never ends", async (encoding, bomb) => {
    const port = await openTarget((_, response) =>
      response.writeHead(200, { "content-encoding": encoding }).write(bomb),
    );
    expect(await call(port)).toMatchObject({ failure: "response_too_large", certainty: "unknown", status: 200 });
  });

  it("that is long and comes to nothing is given up", async () => {
    const nothing = Buffer.concat(Array.from({ length: 4_000 }, () => gzipSync("")));
    const port = await openTarget((_, response) => {
      response.writeHead(200, { "content-encoding": "gzip" });
      const more = () => {
        while (response.write(nothing));
      };
      response.on("drain", more);
      more();
    });
    expect(await call(port)).toMatchObject({ failure: "response_too_large" });
  });
});

describe("the longest answer", () => {
  it.each([
    [1_000, "answered"],
    [1_001, "failed"],
  ])("is that of the option, to the byte: %i of 1000 is %s", async (length, kind) => {
    const port = await openTarget((_, response) =>
      response.writeHead(200, { "content-encoding": "gzip" }).end(gzipSync("x".repeat(length))),
    );
    const runner = webhookRunner({ allowedTargets: [`127.0.0.1:${port}`], maxResponseBytes: 1_000 });
    expect(await runCall(runner, `http://127.0.0.1:${port}/`)).toMatchObject({ kind });
  });

  it("is 1 MiB when there is no option", async () => {
    const port = await openTarget((request, response) => response.end("x".repeat(Number(request.url?.slice(1)))));
    const runner = webhookRunner({ allowedTargets: [`127.0.0.1:${port}`] });
    expect(textOf(await runCall(runner, `http://127.0.0.1:${port}/1048576`))).toHaveLength(1_048_576);
    const result = await runCall(runner, `http://127.0.0.1:${port}/1048577`);
    expect(result).toMatchObject({ failure: "response_too_large", certainty: "failed" });
  });
});

describe("an answer that is broken", () => {
  it.each([
    ["shorter than it says", ["HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n", "{}"], 200],
    ["chunked without its end", ["HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", "2\r\n{}\r\n"], 200],
    ["chunked with a chunk that is none", ["HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", "zz\r\n"], 200],
    ["no HTTP", ["SSH-2.0-OpenSSH_9.6\r\n"], null],
    ["a head that is too long", [`HTTP/1.1 200 OK\r\nx: ${"a".repeat(100_000)}\r\n\r\n`], null],
    ["another protocol", ["HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n"], null],
  ])("%s is invalid", async (_what, octets, status) => {
    const port = await openRaw(...octets);
    expect(await call(port)).toMatchObject({ failure: "invalid_response", certainty: "unknown", status });
  });

  it("after a status of an error did not happen, as far as the target said", async () => {
    const port = await openRaw("HTTP/1.1 500 No\r\nContent-Length: 10\r\n\r\n");
    expect(await call(port)).toMatchObject({ failure: "invalid_response", certainty: "failed", status: 500 });
  });

  it("with no head at all is a broken connection", async () => {
    const port = await openRaw();
    expect(await call(port)).toMatchObject({ failure: "connect_error", certainty: "unknown", status: null });
  });

  it.each([
    ["before the request was read", "connection", null],
    ["after the request was read", "data", null],
  ])("by a reset %s is a broken connection", async (_what, when, status) => {
    const port = await openSocketTarget((socket) => {
      if (when === "connection") socket.resetAndDestroy();
      else socket.once("data", () => socket.resetAndDestroy());
    });
    const result = await call(port);
    expect(result).toMatchObject({ failure: "connect_error", status });
    if (when === "data") expect(result).toMatchObject({ certainty: "unknown" });
  });
});

describe("an answer", () => {
  it("may come before the request has been read, and with other answers before it", async () => {
    const port = await openRaw("HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 201 Created\r\nContent-Length: 2\r\n\r\n{}");
    expect(await call(port)).toMatchObject({ kind: "answered", status: 201 });
  });

  it("may end with its connection", async () => {
    const port = await openRaw("HTTP/1.1 200 OK\r\n\r\n", '{"a":1}');
    expect(textOf(await call(port))).toBe('{"a":1}');
  });
});
