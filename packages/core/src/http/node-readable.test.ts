import { Writable } from "node:stream";
import { expect, it } from "vitest";
import { nodeReadable } from "./whatwg-constructors.ts";

it("destroys the destination of a Readable that fails, and does not end the process without an error listener", async () => {
  const Readable = nodeReadable;
  if (Readable === undefined) throw new Error("Node has no Readable.");
  const make = () => new Readable({ read() {}, destroy: (cause, done) => done(cause) });
  const [piped, unread] = [make(), make()];
  const destination = new Writable();
  piped.pipe(destination);
  for (const readable of [piped, unread]) readable.destroy(new Error("broke off"));
  await expect.poll(() => destination.destroyed).toBe(true);
  expect(destination.writableEnded).toBe(false);
});
