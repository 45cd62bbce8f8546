import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ByteSink, ByteStream } from "../ports/byte-stream.ts";
import { readEvents, type StreamEvent } from "./read-events.ts";

/** A stream that pushes its chunks whenever it is not paused, and records its chunks and the calls on it. */
class Source implements ByteStream {
  given = 0;
  cancelled = false;
  #paused = false;
  #sink: ByteSink | undefined;
  readonly #chunks: readonly Uint8Array[];
  readonly #ending: (sink: ByteSink) => void;

  constructor(chunks: readonly Uint8Array[], ending: (sink: ByteSink) => void = (sink) => sink.close()) {
    this.#chunks = chunks;
    this.#ending = ending;
  }

  pipeTo(sink: ByteSink): void {
    this.#sink = sink;
    this.#push();
  }

  pause(): void {
    this.#paused = true;
  }

  resume(): void {
    this.#paused = false;
    this.#push();
  }

  cancel(): void {
    this.cancelled = true;
  }

  #push(): void {
    for (let chunk = this.#chunks[this.given]; chunk !== undefined; chunk = this.#chunks[this.given]) {
      if (this.#paused || this.cancelled) return;
      this.given += 1;
      this.#sink?.write(chunk);
    }
    if (this.#sink !== undefined && !this.cancelled && !this.#paused) this.#ending(this.#sink);
  }
}

const encode = (text: string) => new TextEncoder().encode(text);

async function eventsOf(stream: ByteStream, limit?: number): Promise<StreamEvent[]> {
  const events: StreamEvent[] = [];
  for await (const event of readEvents(stream, limit)) events.push(event);
  return events;
}

describe("readEvents", () => {
  it("yields the name and data of each event, and skips events without data", async () => {
    const text = '\ufeffevent: a\ndata: {"x":\ndata: 1}\n\n: ping\n\nevent: b\n\ndata: é\r\n\r\ndata: cut';
    expect(await eventsOf(new Source([encode(text)]))).toEqual([
      { name: "a", data: '{"x":\n1}' },
      { name: "", data: "é" },
      { name: "", data: "cut" },
    ]);
  });

  it.each([
    ["an object", '{\n  "error": {\n    "code": 503,\n    "status": "UNAVAILABLE"\n  }\n}\n'],
    ["a list", '[{\r\n  "error": {"code": 429}\r\n}]\r\n\r\n'],
  ])("yields the JSON of an error that has no data field: %s", async (_, error) => {
    const events = await eventsOf(
      new Source([encode("data: a\n\n"), encode(error.slice(0, 9)), encode(error.slice(9))]),
    );
    expect(events).toHaveLength(2);
    expect(JSON.parse(events[1]?.data ?? "")).toEqual(JSON.parse(error));
  });

  it.each(['{"error": nothing}', '{"choices": [], "error": null}', "[DONE]", "error: 503"])(
    "passes over %s without data",
    async (text) => {
      expect(await eventsOf(new Source([encode(`${text}\n\ndata: a\n\n`)]))).toEqual([{ name: "", data: "a" }]);
    },
  );

  it("yields the same events for any split of the bytes", async () => {
    const bytes = encode('event: a\r\ndata: 😀é\r\n\r\n:c\n\ndata: b\n\n{\n"error": "é"\n}');
    const whole = await eventsOf(new Source([bytes]));
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(bytes.length), { maxLength: bytes.length }), async (cuts) => {
        const at = [0, ...cuts.sort((a, b) => a - b), bytes.length];
        const pieces = at.slice(1).map((end, index) => bytes.slice(at[index], end));
        expect(await eventsOf(new Source(pieces))).toEqual(whole);
      }),
    );
  });

  it("reads only when events are requested, and cancels when the iteration ends", async () => {
    const chunk = encode(`data: ${"x".repeat(30_000)}\n\n`);
    const source = new Source(Array.from({ length: 50 }, () => chunk));
    const events = readEvents(source);
    expect(source.given).toBe(0);
    await events.next();
    const first = source.given;
    expect(first).toBeLessThan(5);
    for (let read = 1; read < 10; read += 1) await events.next();
    expect(source.given).toBeGreaterThan(first);
    expect(source.given).toBeLessThan(15);
    await events.return(undefined);
    expect(source.cancelled).toBe(true);
  });

  it("reads all of a long stream", async () => {
    const chunk = encode(`data: ${"x".repeat(30_000)}\n\n`);
    expect(await eventsOf(new Source(Array.from({ length: 50 }, () => chunk)))).toHaveLength(50);
  });

  it("throws the failure of the stream after the events before it", async () => {
    const events = readEvents(new Source([encode("data: a\n\n")], (sink) => sink.fail("broken")));
    expect(await events.next()).toEqual({ done: false, value: { name: "", data: "a" } });
    await expect(events.next()).rejects.toBe("broken");
  });

  it.each([
    ["in one chunk", [`data: ${"x".repeat(100)}\n\n`]],
    ["that never ends", Array.from({ length: 30 }, () => "data")],
  ])("refuses an event %s that is longer than the limit, and cancels the rest", async (_name, texts) => {
    const source = new Source(texts.map(encode));
    await expect(eventsOf(source, 64)).rejects.toMatchObject({ failure: "invalid_response" });
    expect(source.cancelled).toBe(true);
  });
});
