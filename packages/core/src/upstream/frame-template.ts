import { encodeUtf8, joinBytes, startsWith } from "../wire/bytes.ts";
import { isJsonObject, isText, type JsonObject, tryParseJson } from "../wire/json.ts";
import { readOutput, textMembers } from "../wire/output-text.ts";
import type { ChunkNormalizer } from "./chunk-normalizer.ts";
import type { ScannedEvent, ServerSentEvent } from "./event-scanner.ts";
import { takeUsage } from "./frame-reports.ts";
import { endOfString, textLength } from "./json-string-bytes.ts";
import { isIndex } from "./tool-call-normalizer.ts";

type Path = readonly (string | number)[];

/** A string of a frame whose content varies. */
interface Slot {
  readonly path: Path;
  readonly placeholder: string;
  /** Where the string's token is in the JSON text, quotes included. */
  readonly start: number;
  readonly end: number;
}

const maxFrameLength = 16_384;
const maxCandidates = 8;

/**
 * Returns the template of a frame that was just normalized, or undefined if frames of its shape may differ in more than
 * their text. `event` is the event of the frame, whose bytes are `bytes` from `start` to `end`.
 *
 * Placeholders replace the strings that vary, and the normalizer processes this frame like any other. The bytes between
 * the placeholders, before and after normalization, are the template. So a template never differs from the normalizer.
 */
export function learnTemplate(
  event: ServerSentEvent,
  frame: JsonObject,
  { bytes, start, end }: ScannedEvent,
  normalizer: ChunkNormalizer,
): FrameTemplate | undefined {
  const text = textPath(frame);
  if (event.dataStart === undefined || event.data.length > maxFrameLength || text === undefined) return undefined;
  const paths = isText(frame["obfuscation"]) ? [text, ["obfuscation"]] : [text];
  const slots = paths.map((path, number) => locate(event.data, frame, path, `\u2020${number}\u2020`));
  if (!slots.every((slot) => slot !== undefined)) return undefined;
  const ordered = slots.toSorted((a, b) => a.start - b.start);
  // The last slot is replaced first, so that the positions of the others stay valid.
  const withPlaceholders = ordered.reduceRight(splice, event.data);
  const upstream = split(withPlaceholders, ordered);
  const client = split(normalizeWithPlaceholders(withPlaceholders, normalizer), ordered);
  if (upstream === undefined || client === undefined) return undefined;
  const head = bytes.subarray(start, event.dataStart);
  const tail = bytes.subarray(event.dataEnd, end);
  return new FrameTemplate(
    wrap(head, upstream, tail),
    wrap(encodeUtf8("data: "), client, encodeUtf8("\n\n")),
    ordered.findIndex(({ path }) => path === text),
  );
}

/** Returns the path of a frame's only text, or undefined if the frame has several texts, usage or a new tool call. */
function textPath(frame: JsonObject): Path | undefined {
  const choices = frame["choices"];
  const choice: unknown = Array.isArray(choices) && choices.length === 1 ? choices[0] : undefined;
  if (!isJsonObject(choice) || !isJsonObject(choice["delta"])) return undefined;
  if (takeUsage(frame).reported.length > 0) return undefined;
  const { delta } = choice;
  const inDelta = ["choices", 0, "delta"];
  const texts: Path[] = textMembers.filter((member) => isText(delta[member])).map((member) => [...inDelta, member]);
  const pieces = delta["tool_calls"];
  if (Array.isArray(pieces) && pieces.length > 0) {
    if (pieces.length > 1 || !isContinuation(pieces[0])) return undefined;
    texts.push([...inDelta, "tool_calls", 0, "function", "arguments"]);
  }
  return texts.length === 1 && isOnlyText(delta) ? texts[0] : undefined;
}

/** True if no other member holds output, so that the lengths of the template's strings are that of the output. */
function isOnlyText(delta: JsonObject): boolean {
  const { texts, images } = readOutput(delta);
  return texts.length === 1 && images.length === 0;
}

/** True for a piece that continues a tool call: it has an index and arguments, and no name. */
const isContinuation = (piece: unknown): boolean =>
  isJsonObject(piece) &&
  isIndex(piece["index"]) &&
  isJsonObject(piece["function"]) &&
  !isText(piece["function"]["name"]) &&
  isText(piece["function"]["arguments"]);

/** Finds the JSON token of the string at a path. Replaces each candidate by a placeholder, and checks that it appears at that path. */
function locate(json: string, frame: JsonObject, path: Path, placeholder: string): Slot | undefined {
  const value = follow(frame, path);
  let candidates = 0;
  for (const token of json.matchAll(/"(?:[^"\\]|\\.)*"/g)) {
    const start = token.index;
    const end = start + token[0].length;
    if (JSON.parse(token[0]) !== value) continue;
    candidates += 1;
    if (candidates > maxCandidates) return undefined;
    const slot = { path, placeholder, start, end };
    if (follow(tryParseJson(splice(json, slot)), path) === placeholder) return slot;
  }
  return undefined;
}

function follow(value: unknown, path: Path): unknown {
  let found = value;
  for (const step of path) {
    if (typeof step === "number") found = Array.isArray(found) ? found[step] : undefined;
    else found = isJsonObject(found) ? found[step] : undefined;
  }
  return found;
}

const splice = (json: string, { start, end, placeholder }: Slot): string =>
  `${json.slice(0, start)}"${placeholder}"${json.slice(end)}`;

function normalizeWithPlaceholders(json: string, normalizer: ChunkNormalizer): string {
  const frame = tryParseJson(json);
  return isJsonObject(frame) ? (JSON.stringify(normalizer.normalize(takeUsage(frame).frame).frame) ?? "") : "";
}

/** Splits a text at the placeholders. Returns undefined unless each occurs once and in order. */
function split(text: string, slots: readonly Slot[]): string[] | undefined {
  const parts: string[] = [];
  let rest = text;
  for (const { placeholder } of slots) {
    const pieces = rest.split(placeholder);
    if (pieces.length !== 2) return undefined;
    parts.push(pieces[0] ?? "");
    rest = pieces[1] ?? "";
  }
  parts.push(rest);
  return parts;
}

function wrap(head: Uint8Array, parts: readonly string[], tail: Uint8Array): Uint8Array[] {
  const encoded = parts.map(encodeUtf8);
  return encoded.map((part, at) => joinBytes([at === 0 ? head : none, part, at === encoded.length - 1 ? tail : none]));
}

const none = new Uint8Array(0);

/**
 * Recognizes frames of a known shape: constant bytes around the contents of one or more JSON strings. A frame that
 * matches is not parsed: its strings are copied between the constant bytes of the client's frame.
 */
export class FrameTemplate {
  readonly #upstream: readonly Uint8Array[];
  readonly #client: readonly Uint8Array[];
  readonly #textIndex: number;

  /** `upstream` and `client` are the constant parts, one more than there are strings. The string at `textIndex` is the output text. */
  constructor(upstream: readonly Uint8Array[], client: readonly Uint8Array[], textIndex: number) {
    this.#upstream = upstream;
    this.#client = client;
    this.#textIndex = textIndex;
  }

  /**
   * Matches a whole frame of this shape from `start`. Returns where it ends, its bytes of output text and the frame to send to
   * the client, or undefined if there is none that ends before `end`.
   */
  match(bytes: Uint8Array, start: number, end: number) {
    const pieces: Uint8Array[] = [];
    let at = start;
    let textBytes = 0;
    for (let part = 0; part < this.#upstream.length; part += 1) {
      const constant = this.#upstream[part];
      const replacement = this.#client[part];
      if (constant === undefined || replacement === undefined || !startsWith(bytes, at, end, constant))
        return undefined;
      at += constant.length;
      pieces.push(replacement);
      if (part + 1 === this.#upstream.length) break;
      const close = endOfString(bytes, at, end);
      if (close < 0) return undefined;
      if (part === this.#textIndex) textBytes = textLength(bytes, at, close);
      pieces.push(bytes.subarray(at, close));
      at = close;
    }
    return textBytes > 0 ? { end: at, textBytes, translated: joinBytes(pieces) } : undefined;
  }
}
