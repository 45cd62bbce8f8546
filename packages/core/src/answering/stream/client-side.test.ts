import { expect, it } from "vitest";
import { BufferBudget } from "../../limits/buffer-budget.ts";
import { ClientSide } from "./client-side.ts";

const bytes = (text: string) => new TextEncoder().encode(text);

/** A client whose end asks for more as soon as it has been given some, and is given it at once. */
function eagerClient(more: string) {
  const client = new ClientSide(new BufferBudget(1_000_000));
  let written = "";
  let closed = 0;
  let left = more;
  const sink = {
    write(chunk: Uint8Array) {
      expect(closed).toBe(0);
      written += new TextDecoder().decode(chunk);
      client.taken();
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

it("gives what came early before what an eager client is given for asking", () => {
  const { client, sink, result } = eagerClient("late");
  for (const early of ["a", "b", "c"]) client.write(bytes(early));
  client.open(sink);
  expect(result()).toEqual({ written: "abclate", closed: 0 });
});

it("closes once, after all that came early, when it ended before there was a response", () => {
  const { client, sink, result } = eagerClient("");
  for (const early of ["a", "b", "c"]) client.write(bytes(early));
  client.close(1);
  client.open(sink);
  expect(result()).toEqual({ written: "abc", closed: 1 });
});
