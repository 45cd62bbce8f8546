import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { FrameCounter } from "./frame-counter.ts";
import { ResponseParser } from "./response-parser.ts";

const stream =
  "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" +
  'c\r\ndata: {"a":1\r\n4\r\n}\n\nd\r\n7\r\nata: 2\n\r\n1\r\n\n\r\nd\r\n: a comment\n\n\r\n0\r\nTrailer: x\r\n\r\n';

describe("ResponseParser", () => {
  it("counts the same frames and bytes however the stream is cut", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: stream.length - 1 }), { maxLength: 12 }), (cuts) => {
        const parser = new ResponseParser();
        for (const part of cut(Buffer.from(stream), cuts)) parser.feed(part);
        expect(parser).toMatchObject({ complete: true, status: 200, frames: 2, bodyBytes: 37, keepAlive: true });
      }),
    );
  });

  it("ends a sized body at its length and refuses bytes beyond it", () => {
    const parser = new ResponseParser();
    parser.feed(Buffer.from("HTTP/1.1 429 Too Many Requests\r\ncontent-length: 2\r\nconnection: close\r\n\r\n{}"));
    expect(parser).toMatchObject({ complete: true, status: 429, bodyBytes: 2, keepAlive: false });
    expect(() => parser.feed(Buffer.from("x"))).toThrow("more bytes");
  });

  it("takes the close of the connection as the end only where no length was given", () => {
    const open = new ResponseParser();
    open.feed(Buffer.from("HTTP/1.1 200 OK\r\n\r\nabc"));
    expect(open.closed()).toBe(true);
    const chunked = new ResponseParser();
    chunked.feed(Buffer.from(stream.slice(0, -3)));
    expect(chunked.closed()).toBe(false);
  });

  it("refuses what is not HTTP", () => {
    expect(() => new ResponseParser().feed(Buffer.from("SSH-2.0-OpenSSH\r\n\r\n"))).toThrow("no HTTP/1.1");
    const parser = new ResponseParser();
    expect(() => parser.feed(Buffer.from("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n"))).toThrow(
      "no chunk size",
    );
  });
});

describe("FrameCounter", () => {
  it("counts events with data, also with CRLF line ends, and no comments", () => {
    const counter = new FrameCounter();
    const bytes = Buffer.from("data: 1\r\n\r\n: still here\n\nevent: x\ndata: 2\ndata: 3\n\n\n");
    counter.feed(bytes, 0, bytes.length);
    expect(counter.count).toBe(2);
  });
});

function cut(bytes: Buffer, cuts: readonly number[]): Buffer[] {
  const borders = [0, ...cuts.toSorted((a, b) => a - b), bytes.length];
  return borders.slice(1).map((end, index) => bytes.subarray(borders[index], end));
}
