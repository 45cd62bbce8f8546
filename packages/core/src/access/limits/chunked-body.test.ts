import { expect, it, vi } from "vitest";
import { BufferBudget, UnreadBytes } from "./buffer-budget.ts";
import { ChunkedBody, chunkLength } from "./chunked-body.ts";

/** A body whose client reads when the test calls `onDrain`. */
function streamed(body: string | Uint8Array) {
  const budget = new BufferBudget(10_000_000);
  const held: UnreadBytes[] = [];
  const stream = new ChunkedBody(body, 60_000, (bytes, onCut) => {
    const unread = new UnreadBytes(bytes, onCut, budget, () => undefined);
    held.push(unread);
    return unread;
  });
  const sink = { write: vi.fn<(chunk: Uint8Array) => void>(), close: vi.fn(), fail: vi.fn() };
  return { budget, stream, sink, cut: () => held[0]?.cut() };
}

it("writes chunks of 64 KiB and the rest, each in memory of its own", () => {
  const { stream, sink, budget } = streamed("x".repeat(2 * chunkLength + 1));
  stream.pipeTo(sink);
  for (let reads = 0; reads < 3; reads++) stream.onDrain();
  const chunks = sink.write.mock.calls.map(([chunk]) => [chunk.length, chunk.buffer.byteLength]);
  expect(chunks).toEqual([
    [65_536, 65_536],
    [65_536, 65_536],
    [1, 1],
  ]);
  expect([sink.close.mock.calls.length, budget.used]).toEqual([1, 0]);
});

it("writes bytes in the same way, and copies them in turns before they are read, so that they can be freed", async () => {
  const bytes = new Uint8Array(3 * chunkLength + 2).fill(0x78);
  const { stream, sink, budget } = streamed(bytes);
  const copied = vi.spyOn(bytes, "subarray");
  stream.pipeTo(sink);
  await expect.poll(() => copied.mock.calls.length).toBe(4);
  expect([sink.write.mock.calls.length, budget.used]).toEqual([1, bytes.length]);
  for (let reads = 0; reads < 4; reads++) stream.onDrain();
  const chunks = sink.write.mock.calls.map(([chunk]) => chunk);
  expect(chunks.map((chunk) => [chunk.length, chunk.buffer.byteLength])).toEqual([
    [65_536, 65_536],
    [65_536, 65_536],
    [65_536, 65_536],
    [2, 2],
  ]);
  expect(Buffer.compare(Buffer.concat(chunks), bytes)).toBe(0);
  expect([sink.close.mock.calls.length, budget.used]).toEqual([1, 0]);
});

it("encodes a chunk when it is written, and divides no character", () => {
  const text = `x${"😀".repeat(chunkLength)}y`;
  const encoded = vi.spyOn(Buffer, "from");
  const { stream, sink } = streamed(text);
  stream.pipeTo(sink);
  const lengths = encoded.mock.calls.map(([each]) => String(each).length);
  encoded.mockRestore();
  expect(lengths).toEqual([chunkLength - 1]);
  for (let reads = 0; reads < 3; reads++) stream.onDrain();
  const chunks = sink.write.mock.calls.map(([chunk]) => chunk);
  expect(Buffer.concat(chunks).toString()).toBe(text);
  expect(chunks.map((chunk) => Buffer.from(chunk).toString().length)).toEqual([65_535, 65_536, 3]);
  expect(sink.close).toHaveBeenCalledOnce();
});

it("encodes all of a text in turns before it is read, so that it can be freed, and writes it as the client reads", async () => {
  const text = "x".repeat(40 * chunkLength);
  const { stream, sink, budget } = streamed(text);
  const encoded = vi.spyOn(Buffer, "from");
  stream.pipeTo(sink);
  await expect.poll(() => encoded.mock.calls.filter(([each]) => String(each).length === chunkLength).length).toBe(40);
  encoded.mockRestore();
  expect(sink.write).toHaveBeenCalledOnce();
  for (let reads = 0; reads < 40; reads++) stream.onDrain();
  expect([sink.write.mock.calls.length, sink.close.mock.calls.length, budget.used]).toEqual([40, 1, 0]);
});

it("counts what the client has not read", () => {
  const { stream, sink, budget } = streamed("x".repeat(2 * chunkLength));
  expect(budget.used).toBe(0);
  stream.pipeTo(sink);
  expect(budget.used).toBe(2 * chunkLength);
  stream.onDrain();
  expect(budget.used).toBe(chunkLength);
  expect(stream.stalledMs).toBe(60_000);
});

it("writes no empty chunk, and closes at once without text", () => {
  const { stream, sink } = streamed("");
  stream.pipeTo(sink);
  expect([sink.write.mock.calls.length, sink.close.mock.calls.length]).toEqual([0, 1]);
});

it("fails with a reason when it is cut, and writes nothing more", () => {
  const { stream, sink, cut, budget } = streamed("x".repeat(2 * chunkLength));
  stream.pipeTo(sink);
  cut();
  stream.onDrain();
  expect(sink.fail).toHaveBeenCalledExactlyOnceWith(
    new Error("The client read nothing for too long, or all unread responses together exceeded their limit."),
  );
  expect([sink.write.mock.calls.length, sink.close.mock.calls.length, budget.used]).toEqual([1, 0, 0]);
});

it("fails nothing when it is cut after its client has gone", () => {
  const { stream, sink, cut } = streamed("x".repeat(2 * chunkLength));
  stream.pipeTo(sink);
  stream.cancel();
  cut();
  expect(sink.fail).not.toHaveBeenCalled();
});
