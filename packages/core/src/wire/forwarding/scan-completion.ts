import { type AnswerForm, openaiFinishReasons, standardUsage } from "../answer-form.ts";
import { decodeUtf8, encodeUtf8, isUtf8, joinBytes, startsWith } from "../bytes.ts";
import { tryParseJson } from "../json.ts";
import { decodeKey, isKey, type ReadValue, scanElements, scanMembers, scanRoot } from "../json-members.ts";
import { budgetOf, failed, skipString, skipValue } from "../json-skip.ts";
import { isNormalizedUsage, type Usage } from "../usage.ts";
import { shortcuts } from "./shortcuts.ts";

/** A model id of the gateway, also as JSON in UTF-8. */
export interface PublicModel {
  readonly id: string;
  readonly idJson: Uint8Array;
}

/** A completion that goes to the client as the upstream sent it, but for its model. */
export interface ScannedCompletion {
  /** The text of the upstream with the public model id, and with a fingerprint of null if it has none. */
  readonly json: Uint8Array;
  readonly id: string;
  /** The finish_reason of each choice. */
  readonly finishReasons: readonly string[];
  readonly usage: Usage;
}

const noFingerprint = encodeUtf8(',"system_fingerprint":null');
const nothing = new Uint8Array();

/**
 * Reads the bytes of a completion that `normalizeCompletion` would change only in its model and a missing fingerprint, without
 * parsing it. Returns undefined for everything else, which the caller must parse and normalize: for text that is not such a
 * completion, reports an error, or could be read differently by a client, such as one with repeated names or with counts
 * like "1e1", which clients with integer types reject.
 */
export function scanCompletion(
  bytes: Uint8Array,
  { idJson }: PublicModel,
  form?: AnswerForm,
): ScannedCompletion | undefined {
  if (shortcuts.reference !== undefined) return undefined;
  const scan = new CompletionScan(bytes);
  const end = scan.run();
  const { id, model, finishReasons, hasFingerprint } = scan;
  if (end < 0 || finishReasons === undefined || !isUtf8(bytes)) return undefined;
  const usage = tryParseJson(decodeUtf8(bytes.subarray(scan.usage.start, scan.usage.end)) ?? "");
  if (!isNormalizedUsage(usage) || standardUsage(usage, form) !== usage) return undefined;
  const fingerprint = hasFingerprint ? nothing : noFingerprint;
  const json = joinBytes([bytes.subarray(0, model.start), idJson, fingerprint, bytes.subarray(model.end)]);
  return { json, id: decodeKey(bytes, id.start, id.end), finishReasons, usage };
}

/** The range of a value. The end is exclusive. */
const nowhere = { start: 0, end: 0 };

/** Other limits than the depth are not needed, since the length of an answer is limited. */
const limits = { maxMembers: 2 ** 30 - 1, maxContainers: 2 ** 30 - 1, maxValues: 2 ** 30 - 1 };

/** The end of a value with which the completion must be normalized. */
const unusual = failed.syntax;

/** Reads the value that starts here. Returns its end, or a negative number. */
type Read = (scan: CompletionScan, start: number) => number;

/** What an object of a completion contains: the members that it must have, and those that it may have. Others are not checked. */
class ObjectForm {
  readonly names: readonly string[];
  readonly reads: readonly Read[];
  /** A bit for each name that is required. */
  readonly required: number;

  constructor(required: Readonly<Record<string, Read>>, optional: Readonly<Record<string, Read>> = {}) {
    const members = { ...required, ...optional };
    this.names = Object.keys(members);
    this.reads = Object.values(members);
    this.required = 2 ** Object.keys(required).length - 1;
  }
}

class CompletionScan {
  readonly bytes: Uint8Array;
  id = nowhere;
  model = nowhere;
  usage = nowhere;
  hasFingerprint = false;
  /** Undefined if there are no choices. */
  finishReasons: string[] | undefined;
  readonly #budget = budgetOf(limits);
  /** The form of the object that is scanned, and the names that it had so far. */
  #form = anyForm;
  #seen = 0;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }

  /** Returns the end of the completion, or a negative number if it must be normalized. Another value than an object has no finish reasons. */
  run(): number {
    return scanRoot(this.bytes, this.#budget, (start) => this.object(start, completionForm));
  }

  object(start: number, form: ObjectForm): number {
    if (this.bytes[start] !== openBrace) return unusual;
    const outer = this.#form;
    const seenOutside = this.#seen;
    this.#form = form;
    this.#seen = 0;
    const end = scanMembers(this.bytes, start, this.#budget, this.#member);
    const isComplete = (this.#seen & form.required) === form.required;
    this.#form = outer;
    this.#seen = seenOutside;
    return isComplete ? end : unusual;
  }

  array(start: number, readElement: (start: number) => number): number {
    return this.bytes[start] === openBracket ? scanElements(this.bytes, start, this.#budget, readElement) : unusual;
  }

  /** Reads any value. */
  readonly value = (start: number): number => {
    const first = this.bytes[start];
    if (first === openBrace) return this.object(start, anyForm);
    return first === openBracket ? this.array(start, this.value) : skipValue(this.bytes, start, this.#budget);
  };

  readonly #member: ReadValue = (keyStart, keyEnd, valueStart) => {
    const { names, reads } = this.#form;
    for (let i = 0; i < names.length; i++) {
      if (!isKey(this.bytes, keyStart, keyEnd, names[i] ?? "")) continue;
      const bit = 1 << i;
      if ((this.#seen & bit) !== 0) return unusual;
      this.#seen |= bit;
      return reads[i]?.(this, valueStart) ?? unusual;
    }
    return this.#other(keyStart, keyEnd, valueStart);
  };

  #other(keyStart: number, keyEnd: number, valueStart: number): number {
    const { bytes } = this;
    if (isKey(bytes, keyStart, keyEnd, "error") || hasEscape(bytes, keyStart, keyEnd)) return unusual;
    const end = this.value(valueStart);
    return isNumber(bytes, valueStart) && isCount(bytes, keyStart, keyEnd) && !isInteger(bytes, valueStart, end)
      ? unusual
      : end;
  }
}

const anyText: Read = ({ bytes }, start) => (bytes[start] === quote ? skipString(bytes, start) : unusual);
/** A text that is not empty. */
const fullText: Read = (scan, start) => (scan.bytes[start + 1] === quote ? unusual : anyText(scan, start));

const anyValue: Read = (scan, start) => scan.value(start);

const nullOr =
  (read: Read): Read =>
  (scan, start) =>
    scan.bytes[start] === letterN ? scan.value(start) : read(scan, start);

const listOf =
  (form: ObjectForm): Read =>
  (scan, start) =>
    scan.array(start, (at) => scan.object(at, form));

/** Also notes where the value is. */
const located =
  (read: Read, note: (scan: CompletionScan, range: typeof nowhere) => void): Read =>
  (scan, start) => {
    const end = read(scan, start);
    note(scan, { start, end });
    return end;
  };

const objectOf =
  (form: ObjectForm): Read =>
  (scan, start) =>
    scan.object(start, form);

const exactly =
  (text: string): Read =>
  (scan, start) => {
    const end = anyText(scan, start);
    return isKey(scan.bytes, start, end, text) ? end : unusual;
  };

const wholeNumber: Read = (scan, start) => {
  const end = scan.value(start);
  return end - start <= maxDigits && isInteger(scan.bytes, start, end) ? end : unusual;
};
/** Numbers of so many digits are exact. */
const maxDigits = 15;

/** The start of a text of arguments, unless `isNoArguments` may be true for it. */
const argumentsText: Read = (scan, start) => (scan.bytes[start + 1] === openBrace ? anyText(scan, start) : unusual);

const finishReason: Read = (scan, start) => {
  const end = anyText(scan, start);
  for (let i = 0; i < openaiFinishReasons.length; i++) {
    const reason = openaiFinishReasons[i] ?? "";
    if (!isKey(scan.bytes, start, end, reason)) continue;
    // The first element added to an empty array would take room for 17.
    if (scan.finishReasons === undefined) scan.finishReasons = [reason];
    else scan.finishReasons.push(reason);
    return end;
  }
  return unusual;
};

const calledForm = new ObjectForm({ name: anyText, arguments: argumentsText });
const callForm = new ObjectForm({ id: fullText, type: exactly("function"), function: objectOf(calledForm) });
const messageForm = new ObjectForm(
  { role: exactly("assistant") },
  { content: nullOr(anyText), tool_calls: nullOr(listOf(callForm)) },
);
const choiceForm = new ObjectForm({
  index: wholeNumber,
  finish_reason: finishReason,
  message: objectOf(messageForm),
});
const anyForm = new ObjectForm({});
const completionForm = new ObjectForm(
  {
    id: located(fullText, (scan, range) => {
      scan.id = range;
    }),
    object: exactly("chat.completion"),
    created: (scan, start) => (scan.bytes[start] === zero ? unusual : wholeNumber(scan, start)),
    model: located(anyText, (scan, range) => {
      scan.model = range;
    }),
    choices: listOf(choiceForm),
    usage: located(objectOf(anyForm), (scan, range) => {
      scan.usage = range;
    }),
  },
  {
    system_fingerprint: located(anyValue, (scan) => {
      scan.hasFingerprint = true;
    }),
  },
);

function hasEscape(bytes: Uint8Array, start: number, end: number): boolean {
  for (let i = start; i < end; i++) if (bytes[i] === backslash) return true;
  return false;
}

/** True for the name of a count of tokens, of a position or of a time. */
const isCount = (bytes: Uint8Array, keyStart: number, keyEnd: number): boolean =>
  startsWith(bytes, keyEnd - 1 - tokens.length, keyEnd - 1, tokens) ||
  isKey(bytes, keyStart, keyEnd, "index") ||
  isKey(bytes, keyStart, keyEnd, "created");

const tokens = encodeUtf8("_tokens");

const isNumber = (bytes: Uint8Array, start: number): boolean => bytes[start] === hyphen || isDigit(bytes[start] ?? 0);

/** True for digits only. */
function isInteger(bytes: Uint8Array, start: number, end: number): boolean {
  for (let i = start; i < end; i++) if (!isDigit(bytes[i] ?? 0)) return false;
  return end > start;
}

const isDigit = (byte: number): boolean => byte >= zero && byte <= 0x39;

const quote = 0x22;
const hyphen = 0x2d;
const zero = 0x30;
const openBracket = 0x5b;
const backslash = 0x5c;
const letterN = 0x6e;
const openBrace = 0x7b;
