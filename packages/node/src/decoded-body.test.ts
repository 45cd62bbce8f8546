import { randomBytes } from "node:crypto";
import { gzipSync } from "node:zlib";
import type { ByteSink, ByteStream } from "@tollgate/core/provider";
import { expect, it, vi } from "vitest";
import { decodedBody } from "./decoded-body.ts";

/** A body whose bytes the test sends, decoded from gzip, and what its sink was told. */
function scene(sink: Partial<ByteSink> = {}) {
  let into: ByteSink | undefined;
  const source = {
    pipeTo: (given: ByteSink) => {
      into = given;
    },
    pause: vi.fn(),
    resume: vi.fn(),
    cancel: vi.fn(),
  };
  const told = { bytes: 0, ends: [] as unknown[] };
  const body = decodedBody(source, "gzip") as ByteStream;
  body.pipeTo({
    write: (chunk) => {
      told.bytes += chunk.length;
    },
    close: () => told.ends.push("closed"),
    fail: (cause) => told.ends.push(cause),
    ...sink,
  });
  if (into === undefined) throw new Error("The source was not asked.");
  return { source, told, body, into };
}

const million = gzipSync(Buffer.alloc(8_000_000, 0x20));

it("decodes no further than a paused sink takes, and pauses its source", async () => {
  const { told, body, into } = scene();
  body.pause();
  into.write(million);
  into.close();
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(told).toEqual({ bytes: 0, ends: [] });
  body.resume();
  await vi.waitFor(() => expect(told).toEqual({ bytes: 8_000_000, ends: ["closed"] }));
});

it("pauses its source while the decoder is full, and resumes it", async () => {
  const { source, told, body, into } = scene();
  const pieces = gzipSync(randomBytes(400_000));
  into.write(pieces.subarray(0, 10));
  body.pause();
  for (let at = 10; at < pieces.length; at += 10_000) into.write(pieces.subarray(at, at + 10_000));
  expect(source.pause).toHaveBeenCalled();
  expect(source.resume).not.toHaveBeenCalled();
  body.resume();
  await vi.waitFor(() => expect(source.resume).toHaveBeenCalled());
  into.close();
  await vi.waitFor(() => expect(told).toEqual({ bytes: 400_000, ends: ["closed"] }));
});

it("gives nothing after it is cancelled", async () => {
  const { source, told, body, into } = scene();
  into.write(million);
  body.cancel();
  body.cancel();
  into.write(million);
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(told).toEqual({ bytes: 0, ends: [] });
  expect(source.cancel).toHaveBeenCalledOnce();
});

it("tells a paused sink of a failure at once, and of the end of an empty body", () => {
  const failing = scene();
  failing.into.write(million);
  failing.body.pause();
  failing.into.fail("broken");
  expect(failing.told.ends).toEqual(["broken"]);
  const empty = scene();
  empty.into.close();
  expect(empty.told.ends).toEqual(["closed"]);
});

it("fails the request alone when a sink throws", async () => {
  const ends: unknown[] = [];
  const { source, into } = scene({
    write: () => {
      throw new Error("The host's response is broken.");
    },
    fail: (cause) => ends.push(cause),
  });
  into.write(million);
  await vi.waitFor(() => expect(ends).toMatchObject([{ failure: "failed" }]));
  expect(source.cancel).toHaveBeenCalledOnce();
});

it("knows no other encoding, and only one", () => {
  const { source } = scene();
  for (const encoding of ["compress", "gzip, gzip", "identity", ""])
    expect(decodedBody(source, encoding)).toBeUndefined();
});
