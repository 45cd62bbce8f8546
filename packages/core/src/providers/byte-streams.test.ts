import { describe, expect, it } from "vitest";
import type { ByteSink, ByteStream } from "../ports/byte-stream.ts";
import { collect, collectStart, fromReadableStream } from "./byte-streams.ts";
import { peek } from "./peek.ts";

const bytes = (text: string) => new TextEncoder().encode(text);
const textOf = (array: Uint8Array) => new TextDecoder().decode(array);

/** A web stream of the texts that counts how often it was asked for more and whether it was cancelled. */
function source(texts: readonly string[], fault?: unknown) {
  const seen = { pulls: 0, cancelled: false };
  const rest = [...texts];
  const stream = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        seen.pulls += 1;
        const text = rest.shift();
        if (text !== undefined) controller.enqueue(bytes(text));
        else if (fault === undefined) controller.close();
        else controller.error(fault);
      },
      cancel() {
        seen.cancelled = true;
      },
    },
    { highWaterMark: 0 },
  );
  return { seen, stream: fromReadableStream(stream) };
}

const soon = () => new Promise((resolve) => setTimeout(resolve, 5));

describe("collect", () => {
  it("joins every chunk", async () => {
    expect(textOf(await collect(source(["a", "", "bc"]).stream, 3))).toBe("abc");
  });

  it("refuses one byte above the limit and cancels the rest", async () => {
    const { seen, stream } = source(["ab", "cd", "ef"]);
    await expect(collect(stream, 3)).rejects.toMatchObject({ failure: "invalid_response" });
    expect(seen.cancelled).toBe(true);
  });

  it("fails with what the stream fails with", async () => {
    await expect(collect(source(["a"], "broken").stream, 9)).rejects.toBe("broken");
  });
});

describe("collectStart", () => {
  it("gives the first bytes and cancels the rest", async () => {
    const { seen, stream } = source(["ab", "cd", "ef"]);
    expect(textOf(await collectStart(stream, 3, 1_000))).toBe("abc");
    expect(seen.cancelled).toBe(true);
  });

  it("gives what came before a fault", async () => {
    expect(textOf(await collectStart(source(["ab"], "broken").stream, 9, 1_000))).toBe("ab");
  });

  it("gives what came in time", async () => {
    const stalled: ByteStream = { pipeTo: (sink) => sink.write(bytes("ab")), pause() {}, resume() {}, cancel() {} };
    expect(textOf(await collectStart(stalled, 9, 20))).toBe("ab");
  });
});

describe("fromReadableStream", () => {
  it("reads nothing before pipeTo and nothing while paused", async () => {
    const { seen, stream } = source(["a", "b", "c"]);
    await soon();
    expect(seen.pulls).toBe(0);
    const told: string[] = [];
    stream.pipeTo({
      write: (chunk) => {
        told.push(textOf(chunk));
        stream.pause();
      },
      close: () => told.push("close"),
      fail: () => told.push("fail"),
    });
    await soon();
    expect([told, seen.pulls]).toEqual([["a"], 1]);
    stream.resume();
    await soon();
    expect([told, seen.pulls]).toEqual([["a", "b"], 2]);
    stream.cancel();
    await soon();
    expect([told, seen.cancelled]).toEqual([["a", "b"], true]);
  });
});

describe("peek", () => {
  it("shows the first bytes that are not white space and gives the stream whole", async () => {
    const { start, stream } = await peek(source([" \n", "da", "ta: 1"]).stream);
    expect(textOf(start)).toBe(" \nda");
    expect(textOf(await collect(stream, 99))).toBe(" \ndata: 1");
  });

  it("takes a byte order mark, split or not, for no beginning yet", async () => {
    const pieces = [Uint8Array.of(0xef), Uint8Array.of(0xbb, 0xbf), bytes("data: 1"), bytes("more")];
    const marked = new ReadableStream<Uint8Array>({
      start: (controller) => pieces.forEach((piece) => void controller.enqueue(piece)),
    });
    const { start } = await peek(fromReadableStream(marked));
    expect(textOf(start)).toBe("data: 1");
  });

  it("reads no further than it looks until the sink comes", async () => {
    const { seen, stream } = source(["a", "b", "c"]);
    const peeked = await peek(stream);
    await soon();
    expect(seen.pulls).toBe(1);
    const told: string[] = [];
    const sink: ByteSink = { write: (chunk) => told.push(textOf(chunk)), close: () => told.push("close"), fail() {} };
    peeked.stream.pause();
    peeked.stream.pipeTo(sink);
    await soon();
    expect(told).toEqual(["a"]);
    peeked.stream.resume();
    await soon();
    expect(told).toEqual(["a", "b", "c", "close"]);
  });

  it("is empty for an empty stream, which then ends", async () => {
    const { start, stream } = await peek(source([]).stream);
    expect(start.length).toBe(0);
    expect((await collect(stream, 9)).length).toBe(0);
  });

  it("fails with what the stream fails with before its first byte, and passes on a later fault", async () => {
    await expect(peek(source([], "broken").stream)).rejects.toBe("broken");
    await expect(collect((await peek(source(["a"], "broken").stream)).stream, 9)).rejects.toBe("broken");
  });
});
