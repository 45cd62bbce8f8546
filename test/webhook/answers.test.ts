import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from "node:zlib";
import { webhookRunner } from "@tollgate/node";
import { describe, expect, it } from "vitest";
import { openSocketTarget, openTarget } from "./open-target.ts";
import { runCall, textOf } from "./run-call.ts";

const call = (port: number, method: "GET" | "POST" = "POST") =>
  runCall(webhookRunner({ allowedTargets: [`127.0.0.1:${port}`] }), `http://127.0.0.1:${port}/`, { method });

/** Answers every connection with these bytes when the first bytes of a request arrive, and closes it. */
const openRaw = (...octets: readonly (string | Uint8Array)[]) =>
  openSocketTarget((socket) =>
    socket.once("data", () => {
      for (const each of octets) socket.write(each);
      socket.end();
    }),
  );

describe("a compressed response", () => {
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
  ])("in %s is decoded", async (encoding, body) => {
    const port = await openTarget((_, response) => response.writeHead(200, { "content-encoding": encoding }).end(body));
    expect(textOf(await call(port))).toBe(text);
  });

  it.each([
    ["with three encodings", "gzip, gzip, gzip", gzipSync(gzipSync(gzipSync(text)))],
    ["in an unknown encoding", "zstd", Buffer.from(text)],
    ["that is not compressed", "gzip", Buffer.from(text)],
    ["that is not Brotli", "br", Buffer.from(text)],
    ["that is truncated", "gzip", gzipSync(text).subarray(0, -9)],
    ["that is truncated in Brotli", "br", brotliCompressSync(text).subarray(0, -3)],
    ["whose inner encoding is wrong", "br, gzip", gzipSync(text)],
  ])("%s is invalid", async (_what, encoding, body) => {
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
  ])("that decompresses without end in %s is aborted", async (encoding, bomb) => {
    const port = await openTarget((_, response) =>
      response.writeHead(200, { "content-encoding": encoding }).write(bomb),
    );
    expect(await call(port)).toMatchObject({ failure: "response_too_large", certainty: "unknown", status: 200 });
  });

  it("that is long and decompresses to nothing is aborted", async () => {
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

describe("the size limit of responses", () => {
  it.each([
    [1_000, "answered"],
    [1_001, "failed"],
  ])("is exactly the option: %i bytes of 1000 is %s", async (length, kind) => {
    const port = await openTarget((_, response) =>
      response.writeHead(200, { "content-encoding": "gzip" }).end(gzipSync("x".repeat(length))),
    );
    const runner = webhookRunner({ allowedTargets: [`127.0.0.1:${port}`], maxResponseBytes: 1_000 });
    expect(await runCall(runner, `http://127.0.0.1:${port}/`)).toMatchObject({ kind });
  });

  it("is 1 MiB by default", async () => {
    const port = await openTarget((request, response) => response.end("x".repeat(Number(request.url?.slice(1)))));
    const runner = webhookRunner({ allowedTargets: [`127.0.0.1:${port}`] });
    expect(textOf(await runCall(runner, `http://127.0.0.1:${port}/1048576`))).toHaveLength(1_048_576);
    const result = await runCall(runner, `http://127.0.0.1:${port}/1048577`);
    expect(result).toMatchObject({ failure: "response_too_large", certainty: "failed" });
  });
});

describe("an invalid response", () => {
  it.each([
    ["shorter than its Content-Length", ["HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n", "{}"], 200],
    ["chunked without the last chunk", ["HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", "2\r\n{}\r\n"], 200],
    ["chunked with an invalid chunk", ["HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", "zz\r\n"], 200],
    ["not HTTP", ["SSH-2.0-OpenSSH_9.6\r\n"], null],
    ["a head that is too long", [`HTTP/1.1 200 OK\r\nx: ${"a".repeat(100_000)}\r\n\r\n`], null],
    ["another protocol", ["HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n"], null],
  ])("%s is invalid", async (_what, octets, status) => {
    const port = await openRaw(...octets);
    expect(await call(port)).toMatchObject({ failure: "invalid_response", certainty: "unknown", status });
  });

  it("after an error status counts as not executed", async () => {
    const port = await openRaw("HTTP/1.1 500 No\r\nContent-Length: 10\r\n\r\n");
    expect(await call(port)).toMatchObject({ failure: "invalid_response", certainty: "failed", status: 500 });
  });

  it("without a head is a connection error", async () => {
    const port = await openRaw();
    expect(await call(port)).toMatchObject({ failure: "connect_error", certainty: "unknown", status: null });
  });

  it.each([
    ["before the request was read", "connection", null],
    ["after the request was read", "data", null],
  ])("by a reset %s is a connection error", async (_what, when, status) => {
    const port = await openSocketTarget((socket) => {
      if (when === "connection") socket.resetAndDestroy();
      else socket.once("data", () => socket.resetAndDestroy());
    });
    const result = await call(port);
    expect(result).toMatchObject({ failure: "connect_error", status });
    if (when === "data") expect(result).toMatchObject({ certainty: "unknown" });
  });
});

describe("a response", () => {
  it("may arrive before the request was read, and after informational responses", async () => {
    const port = await openRaw("HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 201 Created\r\nContent-Length: 2\r\n\r\n{}");
    expect(await call(port)).toMatchObject({ kind: "answered", status: 201 });
  });

  it("may end with the connection", async () => {
    const port = await openRaw("HTTP/1.1 200 OK\r\n\r\n", '{"a":1}');
    expect(textOf(await call(port))).toBe('{"a":1}');
  });
});
