import type { BodyShare } from "../access/limits/body-budget.ts";
import { GatewayError } from "../errors/gateway-error.ts";
import { Call } from "../request/call.ts";
import type { Awaitable } from "../runtime/awaitable.ts";
import { takeTurns } from "../runtime/take-turns.ts";
import { asksToHideReasoning } from "../wire/asks-to-hide.ts";
import { decodeUtf8 } from "../wire/bytes.ts";
import { inspectRequest } from "../wire/forwarding/inspect-request.ts";
import type { Inspection, Misspelt } from "../wire/forwarding/inspection.ts";
import { type Reading, RequestText, readParsed, readUnparsed } from "../wire/forwarding/request-text.ts";
import type { Json } from "../wire/json.ts";
import { scanJson } from "../wire/json-members.ts";
import type { JsonLimit } from "../wire/json-skip.ts";
import { parseLosslessJson, readLosslessScalar } from "../wire/lossless-json.ts";
import { parseInSteps, valuesAtOnce } from "../wire/parse-in-steps.ts";
import type { RequestShape } from "../wire/shape-of.ts";
import type { RequestProblem } from "../wire/value-schemas.ts";

const requestBody = { name: "The request body" };

/**
 * Parses a chat completion. `share` is the part of the budget that the body uses; the gateway's own requests have none. Throws
 * 400 for invalid JSON, for what does not match the schema, and for checked members that an upstream could read differently.
 */
export function parseChatRequest(body: Uint8Array, share?: BodyShare): Awaitable<Call> {
  const inspection = inspectRequest(body);
  withinLimits(inspection, requestBody);
  const read = readUnparsed(body, inspection);
  return read === undefined ? parseWhole(body, inspection, share) : toCall(body, inspection, read, share);
}

/** Parses a body whose scan alone does not show that it is valid. */
async function parseWhole(body: Uint8Array, inspection: Inspection, share: BodyShare | undefined): Promise<Call> {
  return toCall(body, inspection, readParsed(await parseScanned(body, inspection.values, requestBody)), share);
}

function toCall(body: Uint8Array, inspection: Inspection, read: Reading, share: BodyShare | undefined): Call {
  if (inspection.misspelt !== undefined) throw ambiguous(inspection.misspelt);
  if ("problem" in read) throw schemaError(read.problem);
  const { chat, prompt, whole } = read;
  return new Call({
    dialect: "chat",
    chat,
    prompt,
    body: new RequestText(body, inspection, whole),
    bytes: body.length,
    inspected: findingsOf(inspection),
    hasHiddenReasoning: asksToHideReasoning(chat),
    native: undefined,
    share,
  });
}

/** The findings that outlive the body. */
export const findingsOf = ({ pricedMembers, ttl, asksForHour, spellings }: Inspection): Call["inspected"] => ({
  pricedMembers,
  ttl,
  asksForHour,
  spellings,
});

/** Scans the body of a request of this shape. Throws 400 for one that exceeds a limit of JSON. */
export function inspectBody(body: Uint8Array, shape: RequestShape): Inspection {
  const inspection = inspectRequest(body, {}, shape);
  withinLimits(inspection, requestBody);
  return inspection;
}

/** Parses a body that was scanned. Throws 400 for invalid JSON, and for members that an upstream could read differently from the checks. */
export async function parseInspected(body: Uint8Array, { values, misspelt }: Inspection): Promise<Json> {
  const value = await parseScanned(body, values, requestBody);
  if (misspelt !== undefined) throw ambiguous(misspelt);
  return value;
}

function ambiguous({ param, name, isRepeated }: Misspelt): GatewayError {
  const advice = isRepeated ? "occurs more than once. Send it once." : `is not supported here. Write it \`${name}\`.`;
  return new GatewayError("unsupported_parameter", `\`${param}\` ${advice}`, { param });
}

/** The error of a body that does not match the schema. */
export function schemaError({ param, message }: RequestProblem): GatewayError {
  return new GatewayError(
    "invalid_request",
    param === undefined ? `${requestBody.name} ${message}.` : `\`${param}\` ${message}.`,
    param === undefined ? {} : { param },
  );
}

const limitProblems: Readonly<Record<JsonLimit, string>> = {
  depth: "is nested more than 100 levels deep. Send a flatter one.",
  members: "has an object with more than 50,000 members. Send fewer.",
  containers: "holds more than 100,000 objects and arrays. Send fewer.",
  values: "holds more than 1,000,000 values. Send fewer.",
};

/** The name of a client's JSON text in error messages, and the `param` of the errors. */
interface JsonSource {
  readonly name: string;
  readonly param?: string;
}

/** Parses a JSON text, either at once or in steps. */
interface Parser {
  atOnce(text: string): Json;
  inSteps(text: string): Generator<undefined, Json>;
}

const standardParser: Parser = { atOnce: JSON.parse, inSteps: (text) => parseInSteps(text) };
const exactParser: Parser = { atOnce: parseLosslessJson, inSteps: (text) => parseInSteps(text, readLosslessScalar) };

/** Parses a client's JSON text. Throws 400 `invalid_json` for an invalid one. */
export function parseJson(bytes: Uint8Array, source: JsonSource): Promise<Json> {
  return scanAndParse(bytes, source, standardParser);
}

/** Parses a client's JSON text like `parseJson`, and keeps all digits of its numbers. */
export function parseJsonLossless(bytes: Uint8Array, source: JsonSource): Promise<Json> {
  return scanAndParse(bytes, source, exactParser);
}

async function scanAndParse(bytes: Uint8Array, source: JsonSource, parser: Parser): Promise<Json> {
  const scan = scanJson(bytes);
  // Before the parse: a body of nothing but brackets blocks the process in JSON.parse for seconds.
  withinLimits(scan, source);
  return await parseScanned(bytes, scan.values, source, parser);
}

/** Asserts that a scan exceeded no limit. Throws 400 `invalid_json` otherwise. */
export function withinLimits<Scan extends object>(
  scan: Scan | { readonly exceeded: JsonLimit },
  source: JsonSource,
): asserts scan is Scan {
  if ("exceeded" in scan) throw invalidJson(source, limitProblems[scan.exceeded]);
}

/** Parses a JSON text in which a scan counted `values` values. Throws 400 `invalid_json` for an invalid one. */
export async function parseScanned(
  bytes: Uint8Array,
  values: number,
  source: JsonSource,
  { atOnce, inSteps }: Parser = standardParser,
): Promise<Json> {
  try {
    return values > valuesAtOnce ? await takeTurns(parseMany(bytes, source, inSteps)) : atOnce(textOf(bytes, source));
  } catch (error) {
    if (error instanceof GatewayError) throw error;
    throw invalidJson(source, "is not valid JSON. Check its quotes, commas and brackets.");
  }
}

/** Leaves a turn to others after the scan, after decoding, and before the value is checked: each may take long. */
function* parseMany(bytes: Uint8Array, source: JsonSource, inSteps: Parser["inSteps"]): Generator<undefined, Json> {
  const text = textOf(bytes, source);
  yield;
  const value = yield* inSteps(text);
  yield;
  return value;
}

function textOf(bytes: Uint8Array, source: JsonSource): string {
  const text = decodeUtf8(bytes);
  if (text === undefined) throw invalidJson(source, "is not valid UTF-8. Encode it as UTF-8.");
  return text;
}

function invalidJson({ name, param }: JsonSource, problem: string): GatewayError {
  return new GatewayError("invalid_json", `${name} ${problem}`, param === undefined ? {} : { param });
}
