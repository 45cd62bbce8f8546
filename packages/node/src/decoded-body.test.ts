import { randomBytes } from "node:crypto";
import { gzipSync } from "node:zlib";
import type { ByteSink, ByteStream } from "@tollgate/core/provider";
import { expect, it, vi } from "vitest";
import { decodedBody } from "./decoded-body.ts";

/** A gzip body that the test writes, and a record of what its sink receives. */
function setUp(sink: Partial<ByteSink> = {}) {
  let input: ByteSink | undefined;
  const source = {
    pipeTo: (given: ByteSink) => {
      input = given;
    },
    pause: vi.fn(),
    resume: vi.fn(),
    cancel: vi.fn(),
  };
  const received = { bytes: 0, ends: [] as unknown[] };
  const body = decodedBody(source, "gzip") as ByteStream;
  body.pipeTo({
    write: (chunk) => {
      received.bytes += chunk.length;
    },
    close: () => received.ends.push("closed"),
    fail: (cause) => received.ends.push(cause),
    ...sink,
  });
  if (input === undefined) throw new Error("The body did not call pipeTo on its source.");
  return { source, received, body, input };
}

const compressed = gzipSync(Buffer.alloc(8_000_000, 0x20));

it("stops decoding while its sink is paused", async () => {
  const { received, body, input } = setUp();
  body.pause();
  input.write(compressed);
  input.close();
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(received).toEqual({ bytes: 0, ends: [] });
  body.resume();
  await expect.poll(() => received).toEqual({ bytes: 8_000_000, ends: ["closed"] });
});

it("pauses its source while the decoder is full, then resumes it", async () => {
  const { source, received, body, input } = setUp();
  const pieces = gzipSync(randomBytes(400_000));
  input.write(pieces.subarray(0, 10));
  body.pause();
  for (let at = 10; at < pieces.length; at += 10_000) input.write(pieces.subarray(at, at + 10_000));
  expect(source.pause).toHaveBeenCalled();
  expect(source.resume).not.toHaveBeenCalled();
  body.resume();
  await expect.poll(() => source.resume).toHaveBeenCalled();
  input.close();
  await expect.poll(() => received).toEqual({ bytes: 400_000, ends: ["closed"] });
});

it("writes nothing to its sink after it is cancelled", async () => {
  const { source, received, body, input } = setUp();
  input.write(compressed);
  body.cancel();
  body.cancel();
  input.write(compressed);
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(received).toEqual({ bytes: 0, ends: [] });
  expect(source.cancel).toHaveBeenCalledOnce();
});

it("reports a failure to a paused sink at once, and closes the sink of an empty body", () => {
  const failing = setUp();
  failing.input.write(compressed);
  failing.body.pause();
  failing.input.fail("broken");
  expect(failing.received.ends).toEqual(["broken"]);
  const empty = setUp();
  empty.input.close();
  expect(empty.received.ends).toEqual(["closed"]);
});

it("fails only its own request when a sink throws", async () => {
  const ends: unknown[] = [];
  const { source, input } = setUp({
    write: () => {
      throw new Error("The host's response is broken.");
    },
    fail: (cause) => ends.push(cause),
  });
  input.write(compressed);
  await expect.poll(() => ends).toMatchObject([{ failure: "failed" }]);
  expect(source.cancel).toHaveBeenCalledOnce();
});

it("returns undefined for an unsupported encoding and for more than one", () => {
  const { source } = setUp();
  for (const encoding of ["compress", "gzip, gzip", "identity", ""])
    expect(decodedBody(source, encoding)).toBeUndefined();
});
