import { type AnswerForm, openaiFinishReasons, standardUsage } from "../answer-form.ts";
import { allocate, copyBytes, decodeUtf8, encodeUtf8, isUtf8, startsWith } from "../bytes.ts";
import { tryParseJson } from "../json.ts";
import { decodeKey, isKey, scanElements, scanMembers, scanRoot } from "../json-members.ts";
import { type Budget, budgetOf, failed, skipString, skipValue } from "../json-skip.ts";
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
  const end = scan.run(bytes);
  const { id, finishReasons } = scan;
  if (end < 0 || finishReasons === undefined || !isUtf8(bytes)) return undefined;
  const usage = tryParseJson(decodeUtf8(bytes.subarray(scan.usage.start, scan.usage.end)) ?? "");
  if (!isNormalizedUsage(usage) || standardUsage(usage, form) !== usage) return undefined;
  const json = withModel(bytes, scan.model, idJson, scan.fingerprint.end === 0 ? noFingerprint : nothing);
  return { json, id: decodeKey(bytes, id.start, id.end), finishReasons, usage };
}

/** Returns a text with another model, and with a member after it. */
function withModel(bytes: Uint8Array, { start, end }: Range, model: Uint8Array, member: Uint8Array): Uint8Array {
  const shift = start + model.length + member.length - end;
  const json = allocate(bytes.length + shift);
  copyBytes(bytes, 0, start, json, 0);
  copyBytes(bytes, end, bytes.length, json, end + shift);
  json.set(model, start);
  json.set(member, start + model.length);
  return json;
}

/** The range of a value. The end is exclusive; 0 if there is none. */
interface Range {
  start: number;
  end: number;
}

/** Other limits than the depth are not needed, since the length of an answer is limited. */
const limits = { maxMembers: 2 ** 30 - 1, maxContainers: 2 ** 30 - 1, maxValues: 2 ** 30 - 1 };

/** The end of a value with which the completion must be normalized. */
const unusual = failed.syntax;

/** Reads the value of {@link scan} that starts here. Returns its end, or a negative number. */
type Read = (start: number) => number;

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
  bytes: Uint8Array = nothing;
  readonly id: Range = { start: 0, end: 0 };
  readonly model: Range = { start: 0, end: 0 };
  readonly usage: Range = { start: 0, end: 0 };
  readonly fingerprint: Range = { start: 0, end: 0 };
  /** Undefined if there are no choices. */
  finishReasons: string[] | undefined;
  #budget: Budget = budgetOf(limits);
  /** The form of the object that is scanned, and the names that it had so far. */
  #form = anyForm;
  #seen = 0;

  /** Returns the end of the completion, or a negative number if it must be normalized. Another value than an object has no finish reasons. */
  run(bytes: Uint8Array): number {
    this.bytes = bytes;
    this.#budget = budgetOf(limits);
    this.finishReasons = undefined;
    this.fingerprint.end = 0;
    const end = scanRoot(bytes, this.#budget, anyCompletion);
    this.bytes = nothing;
    return end;
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

  array(start: number, readElement: Read): number {
    return this.bytes[start] === openBracket ? scanElements(this.bytes, start, this.#budget, readElement) : unusual;
  }

  /** Reads any value. */
  readonly value: Read = (start) => {
    const first = this.bytes[start];
    if (first === openBrace) return this.object(start, anyForm);
    return first === openBracket ? this.array(start, this.value) : skipValue(this.bytes, start, this.#budget);
  };

  readonly #member = (keyStart: number, keyEnd: number, valueStart: number): number => {
    const { names, reads } = this.#form;
    for (let i = 0; i < names.length; i++) {
      if (!isKey(this.bytes, keyStart, keyEnd, names[i] ?? "")) continue;
      const bit = 1 << i;
      if ((this.#seen & bit) !== 0) return unusual;
      this.#seen |= bit;
      return reads[i]?.(valueStart) ?? unusual;
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

const anyText: Read = (start) => (scan.bytes[start] === quote ? skipString(scan.bytes, start) : unusual);
/** A text that is not empty. */
const fullText: Read = (start) => (scan.bytes[start + 1] === quote ? unusual : anyText(start));

const anyValue: Read = (start) => scan.value(start);

const nullOr =
  (read: Read): Read =>
  (start) =>
    scan.bytes[start] === letterN ? scan.value(start) : read(start);

const objectOf =
  (form: ObjectForm): Read =>
  (start) =>
    scan.object(start, form);

const listOf = (form: ObjectForm): Read => {
  const element = objectOf(form);
  return (start) => scan.array(start, element);
};

/** Also notes where the value is. */
const located =
  (read: Read, rangeIn: (scan: CompletionScan) => Range): Read =>
  (start) => {
    const end = read(start);
    const range = rangeIn(scan);
    range.start = start;
    range.end = end;
    return end;
  };

const exactly =
  (text: string): Read =>
  (start) => {
    const end = anyText(start);
    return isKey(scan.bytes, start, end, text) ? end : unusual;
  };

const wholeNumber: Read = (start) => {
  const end = scan.value(start);
  return end - start <= maxDigits && isInteger(scan.bytes, start, end) ? end : unusual;
};
/** Numbers of so many digits are exact. */
const maxDigits = 15;

/** The start of a text of arguments, unless `isNoArguments` may be true for it. */
const argumentsText: Read = (start) => (scan.bytes[start + 1] === openBrace ? anyText(start) : unusual);

const finishReason: Read = (start) => {
  const end = anyText(start);
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
    id: located(fullText, ({ id }) => id),
    object: exactly("chat.completion"),
    created: (start) => (scan.bytes[start] === zero ? unusual : wholeNumber(start)),
    model: located(anyText, ({ model }) => model),
    choices: listOf(choiceForm),
    usage: located(objectOf(anyForm), ({ usage }) => usage),
  },
  { system_fingerprint: located(anyValue, ({ fingerprint }) => fingerprint) },
);
const anyCompletion = objectOf(completionForm);

/** Shared by all completions, since a scan is synchronous. */
const scan = new CompletionScan();

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
