import { expect, it } from "vitest";
import { BufferBudget } from "../../access/limits/buffer-budget.ts";
import { StreamBody } from "./stream-body.ts";

const bytes = (text: string) => new TextEncoder().encode(text);

const streams = {
  usageFrame: "always",
  responseStartTimeoutMs: 10_000,
  keepAliveMs: 15_000,
  stalledMs: 60_000,
  maxBufferedBytesPerStream: 4,
  maxBufferedBytes: 1_000_000,
} as const;

/** A body whose sink asks for more as soon as something was written to it, and is given it at once. */
function eagerClient(more: string) {
  const listener = { onDrain: () => undefined, onLeave: () => undefined };
  const client = new StreamBody({ streams, buffers: new BufferBudget(1_000_000) }, listener);
  let written = "";
  let closed = 0;
  let left = more;
  const sink = {
    write(chunk: Uint8Array) {
      expect(closed).toBe(0);
      written += new TextDecoder().decode(chunk);
      client.onDrain();
      const next = left;
      left = "";
      if (next !== "") client.write(bytes(next));
    },
    close() {
      closed += 1;
    },
    fail: () => undefined,
  };
  return { client, sink, result: () => ({ written, closed }) };
}

it("sends early frames before the frames that the client's first read triggers", () => {
  const { client, sink, result } = eagerClient("late");
  for (const early of ["a", "b", "c"]) client.write(bytes(early));
  client.pipeTo(sink);
  expect(result()).toEqual({ written: "abclate", closed: 0 });
});

it("sends all early frames and closes once if it ended before the response was read", () => {
  const { client, sink, result } = eagerClient("");
  for (const early of ["a", "b", "c"]) client.write(bytes(early));
  client.close();
  client.pipeTo(sink);
  expect(result()).toEqual({ written: "abc", closed: 1 });
});
