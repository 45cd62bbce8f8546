import { expect, it } from "vitest";
import { eventData } from "./event-data.ts";

async function read(...chunks: readonly string[]): Promise<readonly string[]> {
  const bytes = chunks.map((chunk) => new TextEncoder().encode(chunk));
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const each of bytes) controller.enqueue(each);
      controller.close();
    },
  });
  const events: string[] = [];
  for await (const data of eventData(body)) events.push(data);
  return events;
}

it("yields the data of each event, without comments and other fields", async () => {
  expect(await read(": hello\n\nevent: x\ndata: 1\n\ndata:2\ndata: 3\n\n")).toEqual(["1", "2\n3"]);
});

it("reads lines that are cut anywhere, with any end", async () => {
  const text = "data: ä\r\n\r\ndata: b\n\ndata: c\r\n\r\n";
  expect(await read(...text)).toEqual(["ä", "b", "c"]);
});

it("leaves out an event that the end of the body cuts off", async () => {
  expect(await read("data: 1\n\ndata: 2")).toEqual(["1"]);
});
