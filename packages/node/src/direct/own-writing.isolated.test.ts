import { OutgoingMessage, ServerResponse } from "node:http";
import { beforeEach, expect, it, vi } from "vitest";
import { post, receive } from "../../test-support/receive.ts";

beforeEach(() => void vi.resetModules());

async function judge(change: (res: ServerResponse) => void = () => undefined): Promise<boolean> {
  const { writesItself } = await import("./own-writing.ts");
  const { res } = await receive(post("", ["connection: close"]));
  change(res);
  return writesItself(res);
}

it("is so for a response as Node made it", async () => {
  expect(await judge()).toBe(true);
});

it.each(["write", "end"] as const)("is not so where the host has wrapped %s", async (method) => {
  expect(await judge((res) => Object.assign(res, { [method]: () => true }))).toBe(false);
});

it.each([
  ["responses", ServerResponse.prototype],
  ["all that goes out", OutgoingMessage.prototype],
])("is not so where an agent had wrapped the writing of %s before", async (_, prototype) => {
  const { write } = prototype;
  Object.assign(prototype, { write: (...given: Parameters<typeof write>) => write(...given) });
  try {
    expect(await judge()).toBe(false);
  } finally {
    if (prototype === ServerResponse.prototype) Reflect.deleteProperty(prototype, "write");
    else Object.assign(prototype, { write });
  }
});
