import { deepStrictEqual } from "node:assert/strict";
import fc from "fast-check";
import { EventScanner, readEvent, type ScannedEvent } from "../../../packages/core/src/upstream/event-scanner.ts";
import { streamCorpora } from "./answer-corpora.ts";
import { anyCuts, cut } from "./cut.ts";
import { fuzzed } from "./fuzz.ts";
import { mutated } from "./mutated.ts";
import { verify } from "./verify.ts";

const maxBytes = 4_096;

fuzzed("the scanner of event streams finds the same events wherever a stream is cut", () => ({
  title: "event streams",
  inputs: fc.record({ bytes: mutated(fc.constantFrom(...Object.values(streamCorpora).flat())), cuts: anyCuts }),
  take({ bytes, cuts }) {
    deepStrictEqual(scanned(cut(bytes, cuts)), scanned([bytes]));
  },
}));

function scanned(chunks: readonly Uint8Array[]) {
  const scanner = new EventScanner(maxBytes);
  const events: unknown[] = [];
  for (const chunk of chunks) {
    for (let event = scanner.scan(chunk, 0); event !== undefined; event = scanner.scan(chunk, event.next)) {
      verify(event.end - event.start <= maxBytes, `An event has at most ${maxBytes} bytes`, event);
      events.push(read(event));
    }
    if (scanner.overflowed) return { events, overflowed: true };
  }
  const last = scanner.flush();
  if (last !== undefined) events.push(read(last));
  return { events, overflowed: scanner.overflowed };
}

function read({ bytes, start, end }: ScannedEvent) {
  const event = readEvent(bytes, start, end);
  return event === undefined ? undefined : { name: event.name, data: event.data };
}
