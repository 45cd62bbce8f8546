import { describe, expect, it } from "vitest";
import { EventScanner, readEvent, type ScannedEvent } from "./event-scanner.ts";

/** The events found in pieces of a stream, each as its name and data. */
function scan(...pieces: string[]) {
  const scanner = new EventScanner(10_000);
  const events: (readonly [string, string] | undefined)[] = [];
  const read = ({ bytes, start, end }: ScannedEvent) => {
    const event = readEvent(bytes, start, end);
    events.push(event && [event.name, event.data]);
  };
  for (const piece of pieces) {
    const chunk = new TextEncoder().encode(piece);
    for (let found = scanner.scan(chunk, 0); found !== undefined; found = scanner.scan(chunk, found.next)) read(found);
  }
  const last = scanner.flush();
  if (last !== undefined) read(last);
  return events;
}

describe("EventScanner", () => {
  it.each(["\n", "\r\n", "\r"])("ends an event at a blank line of %j", (newline) => {
    const stream = `data: a${newline}data:b${newline}${newline}event: e${newline}data:  c${newline}${newline}`;
    const expected = [
      ["", "a\nb"],
      ["e", " c"],
    ];
    expect(scan(stream)).toEqual(expected);
    expect(scan(...stream)).toEqual(expected);
  });

  it("treats CR and LF in two chunks as one line end", () => {
    expect(scan("data: a\r", "\ndata: b\r", "\n\r", "\ndata: c\r\n\r", "\n")).toEqual([
      ["", "a\nb"],
      ["", "c"],
    ]);
  });

  it("does not end lines at U+2028, U+0085, vertical tab or form feed", () => {
    expect(scan("data: a\u2028b\u0085c\u000bd\u000ce\n\n")).toEqual([["", "a\u2028b\u0085c\u000bd\u000ce"]]);
  });

  it("drops comments between events and inside them", () => {
    expect(scan(": one\n: two\n\ndata: a\n: three\ndata: b\n\n:\n\n", ": fo", "ur\n", "data: c\n\n")).toEqual([
      ["", "a\nb"],
      ["", "c"],
    ]);
  });

  it("returns an unfinished event at the flush", () => {
    expect(scan("data: a\n\ndata: b")).toEqual([
      ["", "a"],
      ["", "b"],
    ]);
  });

  it("finds no data in an event of other fields", () => {
    expect(scan("event: ping\nid: 1\nnonsense\n\n", "data\n\n")).toEqual([undefined, ["", ""]]);
  });
});
