import { describe, expect, it } from "vitest";
import type { ByteSink, ByteStream } from "../ports/byte-stream.ts";
import { collect, collectStart, fromReadableStream } from "./byte-streams.ts";
import { peek } from "./peek.ts";

const bytes = (text: string) => new TextEncoder().encode(text);
const textOf = (array: Uint8Array) => new TextDecoder().decode(array);

/** A web stream of texts that counts its pulls and records a cancellation. */
function source(texts: readonly string[], failure?: unknown) {
  const seen = { pulls: 0, cancelled: false };
  const rest = [...texts];
  const stream = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        seen.pulls += 1;
        const text = rest.shift();
        if (text !== undefined) controller.enqueue(bytes(text));
        else if (failure === undefined) controller.close();
        else controller.error(failure);
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

  it("joins many bytes with turns of the event loop between them", async () => {
    const chunk = bytes("x".repeat(1_048_576));
    const sent = [bytes("start"), ...Array.from({ length: 16 }, () => chunk), bytes("end")];
    const stream: ByteStream = {
      pipeTo(sink) {
        for (const each of sent) sink.write(each);
        sink.close();
      },
      pause() {},
      resume() {},
      cancel() {},
    };
    let turns = 0;
    const watch = setInterval(() => turns++);
    const joined = await collect(stream, 20_000_000);
    clearInterval(watch);
    expect(turns).toBeGreaterThan(2);
    expect(Buffer.compare(joined, Buffer.concat(sent))).toBe(0);
  });

  it("throws at one byte above the limit and cancels the rest", async () => {
    const { seen, stream } = source(["ab", "cd", "ef"]);
    await expect(collect(stream, 3)).rejects.toMatchObject({ failure: "invalid_response" });
    expect(seen.cancelled).toBe(true);
  });

  it("throws the error of the stream", async () => {
    await expect(collect(source(["a"], "broken").stream, 9)).rejects.toBe("broken");
  });
});

describe("collectStart", () => {
  it("returns the first bytes and cancels the rest", async () => {
    const { seen, stream } = source(["ab", "cd", "ef"]);
    expect(textOf(await collectStart(stream, 3, 1_000))).toBe("abc");
    expect(seen.cancelled).toBe(true);
  });

  it("returns the bytes before an error", async () => {
    expect(textOf(await collectStart(source(["ab"], "broken").stream, 9, 1_000))).toBe("ab");
  });

  it("returns the bytes that arrived in time", async () => {
    const stalled: ByteStream = { pipeTo: (sink) => sink.write(bytes("ab")), pause() {}, resume() {}, cancel() {} };
    expect(textOf(await collectStart(stalled, 9, 20))).toBe("ab");
  });
});

describe("fromReadableStream", () => {
  it("reads nothing before pipeTo and nothing while paused", async () => {
    const { seen, stream } = source(["a", "b", "c"]);
    await soon();
    expect(seen.pulls).toBe(0);
    const received: string[] = [];
    stream.pipeTo({
      write: (chunk) => {
        received.push(textOf(chunk));
        stream.pause();
      },
      close: () => received.push("close"),
      fail: () => received.push("fail"),
    });
    await soon();
    expect([received, seen.pulls]).toEqual([["a"], 1]);
    stream.resume();
    await soon();
    expect([received, seen.pulls]).toEqual([["a", "b"], 2]);
    stream.cancel();
    await soon();
    expect([received, seen.cancelled]).toEqual([["a", "b"], true]);
  });
});

describe("peek", () => {
  it("returns the first bytes that are not white space, and the whole stream", async () => {
    const { start, stream } = await peek(source([" \n", "da", "ta: 1"]).stream);
    expect(textOf(start)).toBe(" \nda");
    expect(textOf(await collect(stream, 99))).toBe(" \ndata: 1");
  });

  it("skips a byte order mark, also a split one", async () => {
    const pieces = [Uint8Array.of(0xef), Uint8Array.of(0xbb, 0xbf), bytes("data: 1"), bytes("more")];
    const marked = new ReadableStream<Uint8Array>({
      start: (controller) => pieces.forEach((piece) => void controller.enqueue(piece)),
    });
    const { start } = await peek(fromReadableStream(marked));
    expect(textOf(start)).toBe("data: 1");
  });

  it("reads no further until the stream is piped", async () => {
    const { seen, stream } = source(["a", "b", "c"]);
    const peeked = await peek(stream);
    await soon();
    expect(seen.pulls).toBe(1);
    const received: string[] = [];
    const sink: ByteSink = {
      write: (chunk) => received.push(textOf(chunk)),
      close: () => received.push("close"),
      fail() {},
    };
    peeked.stream.pause();
    peeked.stream.pipeTo(sink);
    await soon();
    expect(received).toEqual(["a"]);
    peeked.stream.resume();
    await soon();
    expect(received).toEqual(["a", "b", "c", "close"]);
  });

  it("is empty for an empty stream, which then closes", async () => {
    const { start, stream } = await peek(source([]).stream);
    expect(start.length).toBe(0);
    expect((await collect(stream, 9)).length).toBe(0);
  });

  it("rejects with an error before the first byte, and passes a later one to the sink", async () => {
    await expect(peek(source([], "broken").stream)).rejects.toBe("broken");
    await expect(collect((await peek(source(["a"], "broken").stream)).stream, 9)).rejects.toBe("broken");
  });
});
