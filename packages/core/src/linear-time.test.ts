import { describe, expect, it } from "vitest";
import { hideUrlCredentials } from "./assistants/redaction/url-credentials.ts";
import { splitJson } from "./assistants/webhook/template/json-parts.ts";
import { renderText } from "./assistants/webhook/template/render-text.ts";
import { knownNames, Scope } from "./assistants/webhook/template/scope.ts";
import { clientText } from "./failures/client-text.ts";
import { isContextLength } from "./failures/context-length.ts";
import { classifyErrorPayload } from "./failures/failure.ts";
import { readRetryAfter } from "./failures/retry-after.ts";

const words = ["a", "0", "f", "request", "trace", "req-", "msg-", "sk-", "Bearer", "[removed]", "a@", "http://", "-a1"];
const marks = [".", "-", "_", "/", "\\", ":", "@", "*", " ", "'", "=", "?", ")"];
/** Candidates for slow text: the parts that the regular expressions match, alone and followed by a mark. */
const pieces = [...words, ...marks, ...[...words, ...marks].flatMap((word) => marks.map((mark) => word + mark))];

/**
 * Returns the time of one text of 3,840 characters divided by that of eight with 480: about 1 for linear time, 8 for
 * quadratic. Texts are `scale` times as long. It uses the fastest of several runs, which other load on the machine affects
 * least, and measures again what is not linear.
 */
function growth(
  work: (text: string) => unknown,
  [start, piece, end]: readonly [string, string, string],
  scale = 1,
): number {
  const text = (length: number) => `${start}${piece.repeat((scale * length) / piece.length)}${end}`;
  const [long, short] = [text(3_840), text(480)];
  if (fastestRun(() => work(long), 2) < negligibleMs) return 0;
  const eightTimes = () => {
    for (let time = 0; time < 8; time++) work(short);
  };
  const measure = () => fastestRun(() => work(long), 8) / fastestRun(eightTimes, 8);
  let least = measure();
  // Quadratic time shows in every measurement, other load only in some.
  for (let again = 0; again < 2 && least >= linear; again++) least = Math.min(least, measure());
  return least;
}

/** The growth above which a text takes more than linear time. */
const linear = 4;

/** Far more than the text takes in linear time, and far less than in quadratic time. */
const negligibleMs = 1;

function fastestRun(work: () => void, runs: number): number {
  let least = Number.POSITIVE_INFINITY;
  for (let run = 0; run < runs; run++) {
    const begun = performance.now();
    work();
    least = Math.min(least, performance.now() - begun);
  }
  return least;
}

/** The pieces whose repetition takes more than linear time. */
const slowPieces = (work: (text: string) => unknown, start = "") =>
  pieces.filter((piece) => ["", " x"].some((end) => growth(work, [start, piece, end]) > linear));

// On a busy machine most measurements are repeated.
describe("text that others choose takes linear time", { timeout: 60_000 }, () => {
  it.each([
    ["an upstream's message for the client", (text: string) => clientText(text)],
    ["an upstream's message that is cut", (text: string) => clientText(`${text} ${"x".repeat(400)}`)],
    ["an upstream's message about a context length", (text: string) => isContextLength(undefined, text)],
    ["an upstream's error", (text: string) => classifyErrorPayload({ message: text }, 402)],
    ["an upstream's Retry-After", (text: string) => readRetryAfter(() => text)],
  ])("%s", (_name, work) => {
    expect(slowPieces(work)).toEqual([]);
  });

  it.each(["", "a:", "https://a?token="])("a URL of a webhook that begins with %j", (start) => {
    expect(slowPieces((text) => hideUrlCredentials(text, "*"), start)).toEqual([]);
  });

  it.each(['{"a":', '"a"', '\\"', '"\\', "$" + "{", "$a", "$a[", "$a[1"])(
    "a template of a body that repeats %j",
    (piece) => {
      for (const start of ["", '"']) expect(growth(splitJson, [start, piece, ""], 8), start).toBeLessThan(linear);
    },
  );

  it.each(["$" + "{", "$", "$a", "$a[0", "$a."])("a text of a template that repeats %j", (piece) => {
    const render = (text: string) => renderText(text, new Scope(noSources, knownNames([], [])), () => "");
    expect(growth(render, ["", piece, ""], 8)).toBeLessThan(linear);
  });
});

const system = { "session.id": "s", "company.id": "c", "assistant.id": "a" };
const noSources = { system, images: [], secrets: {}, declared: [], arguments: {}, clientData: {} };
