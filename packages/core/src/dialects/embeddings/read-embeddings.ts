import type { NativeJson, ReadAnswer } from "../../answering/model-api.ts";
import { ProviderError } from "../../errors/provider-error.ts";
import { noOutput } from "../../money/token-counter.ts";
import type { ModelTarget } from "../../ports/model.ts";
import type { PaidCall } from "../../request/paid-call.ts";
import { startNow } from "../../runtime/take-turns.ts";
import { guardOf } from "../../upstream/answer-guard.ts";
import { contextOf } from "../../upstream/failure.ts";
import { readReportedError } from "../../upstream/frame-reports.ts";
import { decodeUtf8, encodeUtf8, isUtf8, joinBytes } from "../../wire/bytes.ts";
import type { MemberChange } from "../../wire/edits.ts";
import { spliceMembers } from "../../wire/forwarding/splice-members.ts";
import { isJsonObject, type JsonObject, tryParseJson } from "../../wire/json.ts";
import { findNamed, type JsonMember, nameOf, scanJson } from "../../wire/json-members.ts";
import { readUsage, tokenCountOf, type Usage } from "../../wire/usage.ts";
import { embeddingMembers } from "../known-members.ts";
import { scanEmbeddings, type VectorRange } from "./scan-embeddings.ts";
import { convertVector, type VectorFormat } from "./vector-format.ts";

/** The parts of a request that reading its answer needs. */
type Asked = {
  readonly model: Pick<PaidCall["model"], "id" | "idJson">;
  readonly call: Pick<PaidCall["call"], "prompt" | "member" | "original">;
};

/**
 * Reads the upstream's embeddings, in turns if there are many. Vectors in the format that was asked for are forwarded as they
 * are; only the members beside them are parsed. Others are converted. Throws a ProviderError if the answer is an error, if it
 * is cut off, and if it has another number of vectors than the request has inputs.
 */
export async function readEmbeddings(asked: Asked, target: ModelTarget, answer: NativeJson): Promise<ReadAnswer> {
  return await startNow(readInSteps(asked, target, answer));
}

function* readInSteps(asked: Asked, target: ModelTarget, answer: NativeJson): Generator<undefined, ReadAnswer> {
  const { body } = answer;
  const scanned = yield* scanEmbeddings(body);
  const context = contextOf(target, asked.model.id, answer);
  const beside = scanned && besideVectors(body, scanned.members);
  const error = beside && readReportedError(beside, () => context);
  if (error !== undefined) throw error;
  const { provider } = target;
  const { inputs } = asked.call.prompt;
  const data = scanned && findNamed(body, scanned.members, "data");
  if (scanned?.vectors === undefined || data === undefined || scanned.vectors.length !== inputs?.count) {
    const received =
      scanned?.vectors === undefined
        ? "something that is not a list of embeddings. Check its base URL and the name of the model"
        : `${scanned.vectors.length} embeddings for ${inputs?.count} inputs. Check the name of the model`;
    throw new ProviderError("invalid_response", `${provider.name} answered with ${received}.`);
  }
  if (!isUtf8(body)) throw new ProviderError("invalid_response", "The embeddings are not valid UTF-8.");
  const cleaned = beside && guardOf(embeddingMembers, asked, target, context).clean(beside);
  const foreign = Object.keys(beside ?? {}).filter((name) => cleaned?.[name] === undefined);
  const leftOut = foreign.map((name) => ({ name, value: undefined }));
  const format = asked.call.member("encoding_format") === "base64" ? "base64" : "float";
  const vectors = yield* inFormat(body, data, scanned.vectors, format);
  return new EmbeddingsAnswer(withoutVectors(body, data), vectors, asked.model, leftOut);
}

/** So many bytes are converted in some milliseconds. Base64 has a number in 5 bytes, and JSON in about 20. */
const bytesOfStep: Readonly<Record<VectorFormat, number>> = { base64: 262_144, float: 65_536 };

/** Returns the pieces of `data` as JSON, with all vectors in this format. */
function* inFormat(
  body: Uint8Array,
  data: JsonMember,
  vectors: readonly VectorRange[],
  format: VectorFormat,
): Generator<undefined, readonly Uint8Array[]> {
  const other = format === "base64" ? openBracket : quote;
  const pieces: Uint8Array[] = [];
  let from = data.valueStart;
  let converted = 0;
  for (const { start, end } of vectors) {
    if (body[start] !== other) continue;
    pieces.push(body.subarray(from, start), encodeUtf8(convertVector(body.subarray(start, end), format)));
    from = end;
    converted += end - start;
    if (converted < bytesOfStep[format]) continue;
    converted = 0;
    yield;
  }
  pieces.push(body.subarray(from, data.valueEnd));
  return pieces;
}

/** Returns the answer with `null` in place of its vectors. */
const withoutVectors = (body: Uint8Array, { valueStart, valueEnd }: JsonMember): Uint8Array =>
  joinBytes([body.subarray(0, valueStart), encodeUtf8("null"), body.subarray(valueEnd)]);

const quote = 0x22;
const openBracket = 0x5b;

class EmbeddingsAnswer implements ReadAnswer {
  readonly output = noOutput;
  /** Embeddings have no id. */
  readonly answerId = undefined;
  readonly finishReasons = [];
  readonly usage: Usage | undefined;
  readonly json: Uint8Array;
  readonly #envelope: Uint8Array;
  readonly #members: readonly JsonMember[];
  readonly #vectors: readonly Uint8Array[];
  readonly #changes: readonly MemberChange[];

  /** `envelope` is the answer without its vectors, whose JSON is beside it. `changes` are those of its members besides the model. */
  constructor(
    envelope: Uint8Array,
    vectors: readonly Uint8Array[],
    { id, idJson }: Asked["model"],
    changes: readonly MemberChange[],
  ) {
    this.#envelope = envelope;
    this.#members = membersOf(envelope);
    this.#vectors = vectors;
    this.#changes = [...changes, { name: "model", value: id, json: idJson }];
    this.usage = usageOf(memberValue(envelope, this.#members, "usage"));
    this.json = this.#write(this.#changes);
  }

  withUsage({ prompt_tokens, total_tokens }: Usage): Uint8Array {
    return this.#write([...this.#changes, { name: "usage", value: { prompt_tokens, total_tokens } }]);
  }

  #write(changes: readonly MemberChange[]): Uint8Array {
    const written = spliceMembers(this.#envelope, this.#members, changes);
    const data = findNamed(written, membersOf(written), "data");
    const { valueStart = 0, valueEnd = 0 } = data ?? {};
    return joinBytes([written.subarray(0, valueStart), ...this.#vectors, written.subarray(valueEnd)]);
  }
}

/** What was scanned before exceeds no limit but by the members that were added. */
function membersOf(envelope: Uint8Array): readonly JsonMember[] {
  const scan = scanJson(envelope, { maxMembers: Number.POSITIVE_INFINITY, maxValues: Number.POSITIVE_INFINITY });
  return "exceeded" in scan ? [] : scan.members;
}

/** Embeddings have no output. Some upstreams report only the total. */
function usageOf(value: unknown): Usage | undefined {
  if (!isJsonObject(value)) return undefined;
  const prompt = tokenCountOf(value["prompt_tokens"]) ?? value["total_tokens"];
  return readUsage({ ...value, prompt_tokens: prompt, completion_tokens: 0 });
}

/** Returns the members beside the vectors, as values. */
const besideVectors = (body: Uint8Array, members: readonly JsonMember[]): JsonObject =>
  Object.fromEntries(
    members
      .map((member) => nameOf(body, member))
      .filter((name) => name !== "data")
      .map((name) => [name, memberValue(body, members, name)]),
  );

function memberValue(body: Uint8Array, members: readonly JsonMember[], name: string): unknown {
  const member = findNamed(body, members, name);
  return member && tryParseJson(decodeUtf8(body.subarray(member.valueStart, member.valueEnd)) ?? "null");
}
