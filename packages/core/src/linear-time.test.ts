import { describe, expect, it } from "vitest";
import { hideUrlCredentials } from "./assistants/redaction/url-credentials.ts";
import { clientText } from "./failures/client-text.ts";
import { isContextLength } from "./failures/context-length.ts";
import { sortErrorPayload } from "./failures/failure.ts";
import { readRetryAfter } from "./failures/retry-after.ts";

const words = ["a", "0", "f", "request", "trace", "req-", "msg-", "sk-", "Bearer", "[removed]", "a@", "http://", "-a1"];
const marks = [".", "-", "_", "/", "\\", ":", "@", "*", " ", "'", "=", "?", ")"];
/** What text that is to be slow could repeat: the parts that the expressions look for, alone and followed by a mark. */
const pieces = [...words, ...marks, ...[...words, ...marks].flatMap((word) => marks.map((mark) => word + mark))];

/**
 * How many times as long one text of 3,840 characters takes as eight of 480: about 1 in linear time, 8 in quadratic. The
 * least of several runs counts, which other work on the machine does not change.
 */
function growth(work: (text: string) => unknown, [start, piece, end]: readonly [string, string, string]): number {
  const text = (length: number) => `${start}${piece.repeat(length / piece.length)}${end}`;
  const [long, short] = [text(3_840), text(480)];
  if (leastTime(() => work(long), 2) < negligibleMs) return 0;
  const eightTimes = () => {
    for (let time = 0; time < 8; time++) work(short);
  };
  return leastTime(() => work(long), 8) / leastTime(eightTimes, 8);
}

/** Far more than so long a text takes in linear time, and far less than in quadratic. */
const negligibleMs = 1;

function leastTime(work: () => void, runs: number): number {
  let least = Number.POSITIVE_INFINITY;
  for (let run = 0; run < runs; run++) {
    const begun = performance.now();
    work();
    least = Math.min(least, performance.now() - begun);
  }
  return least;
}

/** The pieces of which eight times as much takes far more than eight times as long. */
const slowPieces = (work: (text: string) => unknown, start = "") =>
  pieces.filter((piece) => ["", " x"].some((end) => growth(work, [start, piece, end]) > 4));

describe("text that others choose takes time in proportion to its length", () => {
  it.each([
    ["an upstream's words for the client", (text: string) => clientText(text)],
    ["an upstream's words that are cut", (text: string) => clientText(`${text} ${"x".repeat(400)}`)],
    ["an upstream's words about a context length", (text: string) => isContextLength(undefined, text)],
    ["an upstream's error", (text: string) => sortErrorPayload({ message: text }, 402)],
    ["an upstream's wait", (text: string) => readRetryAfter(() => text)],
  ])("%s", (_name, work) => {
    expect(slowPieces(work)).toEqual([]);
  });

  it.each(["", "a:", "https://a?token="])("a URL of a webhook that begins with %j", (start) => {
    expect(slowPieces((text) => hideUrlCredentials(text, "*"), start)).toEqual([]);
  });
});
