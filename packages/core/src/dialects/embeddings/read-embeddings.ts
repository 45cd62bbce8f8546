import type { NativeJson, ReadAnswer } from "../../answering/model-api.ts";
import { ProviderError } from "../../errors/provider-error.ts";
import { contextOf } from "../../failures/failure.ts";
import { noOutput } from "../../money/token-counter.ts";
import type { ModelTarget } from "../../ports/model.ts";
import type { PaidCall } from "../../request/paid-call.ts";
import type { Awaitable } from "../../runtime/awaitable.ts";
import { takeTurns } from "../../runtime/take-turns.ts";
import { guardOf } from "../../streaming/answer-guard.ts";
import { readReportedError } from "../../streaming/frame-reports.ts";
import { decodeUtf8 } from "../../wire/bytes.ts";
import { type MemberChange, spliceMembers } from "../../wire/forwarding/splice-members.ts";
import { isJsonObject, type JsonObject, tryParseJson } from "../../wire/json.ts";
import { isNamed, type JsonMember, nameOf } from "../../wire/json-members.ts";
import { readUsage, tokenCountOf, type Usage } from "../../wire/usage.ts";
import { scanEmbeddings, type VectorRange } from "./scan-embeddings.ts";
import { convertVector, type VectorFormat } from "./vector-format.ts";

/** The parts of a request that reading its answer needs. */
type Asked = {
  readonly model: Pick<PaidCall["model"], "id" | "idJson">;
  readonly call: Pick<PaidCall["call"], "prompt" | "member" | "original">;
};

/**
 * Reads the upstream's embeddings. Vectors in the format that was asked for are forwarded as they are; only the members beside
 * them are parsed. Others are converted, in steps if there are many. Throws a ProviderError if the answer is an error, if it
 * is cut off, and if it has another number of vectors than the request has inputs.
 */
export async function readEmbeddings(asked: Asked, target: ModelTarget, answer: NativeJson): Promise<ReadAnswer> {
  const { body } = answer;
  const scanned = scanEmbeddings(body);
  const context = contextOf(target, asked.model.id, answer);
  const beside = scanned && besideVectors(body, scanned.members);
  const error = beside && readReportedError(beside, () => context);
  if (error !== undefined) throw error;
  const { provider } = target;
  const { inputs } = asked.call.prompt;
  if (scanned === undefined || scanned.vectors === undefined || scanned.vectors.length !== inputs?.count) {
    const received =
      scanned?.vectors === undefined
        ? "something that is not a list of embeddings. Check its base URL and the name of the model"
        : `${scanned.vectors.length} embeddings for ${inputs?.count} inputs. Check the name of the model`;
    throw new ProviderError("invalid_response", `${provider.name} answered with ${received}.`);
  }
  const cleaned = beside && guardOf(answerMembers, asked, target, context).clean(beside);
  const foreign = Object.keys(beside ?? {}).filter((name) => cleaned?.[name] === undefined);
  const leftOut = foreign.map((name) => ({ name, value: undefined }));
  const { members, vectors } = scanned;
  const format = asked.call.member("encoding_format") === "base64" ? "base64" : "float";
  const data = await inFormat(body, members, vectors, format);
  return new EmbeddingsAnswer(body, members, asked.model, [...data, ...leftOut]);
}

/** Fewer bytes are converted in a few milliseconds. */
const bytesAtOnce = 262_144;

/** Returns the change of `data` that its vectors need to have this format. Empty if they have it. */
function inFormat(
  body: Uint8Array,
  members: readonly JsonMember[],
  vectors: readonly VectorRange[],
  format: VectorFormat,
): Awaitable<readonly MemberChange[]> {
  const others = vectors.filter(({ start }) => body[start] === (format === "base64" ? openBracket : quote));
  const data = members.findLast((each) => isNamed(body, each, "data"));
  if (others.length === 0 || data === undefined) return [];
  const work = converted(body, data, others, format);
  if (data.valueEnd - data.valueStart > bytesAtOnce) return takeTurns(work);
  let step = work.next();
  while (step.done !== true) step = work.next();
  return step.value;
}

function* converted(
  body: Uint8Array,
  data: JsonMember,
  vectors: readonly VectorRange[],
  format: VectorFormat,
): Generator<undefined, readonly MemberChange[]> {
  const text = (from: number, to: number) => decodeUtf8(body.subarray(from, to)) ?? "";
  let json = "";
  let from = data.valueStart;
  let sinceTurn = 0;
  for (const { start, end } of vectors) {
    json += text(from, start) + convertVector(body.subarray(start, end), format);
    from = end;
    sinceTurn += end - start;
    if (sinceTurn < bytesAtOnce) continue;
    sinceTurn = 0;
    yield;
  }
  return [{ name: "data", value: [], json: json + text(from, data.valueEnd) }];
}

const quote = 0x22;
const openBracket = 0x5b;

class EmbeddingsAnswer implements ReadAnswer {
  readonly output = noOutput;
  /** Embeddings have no id. */
  readonly answerId = undefined;
  readonly finishReasons = [];
  readonly usage: Usage | undefined;
  readonly json: string;
  readonly #body: Uint8Array;
  readonly #members: readonly JsonMember[];
  readonly #changes: readonly MemberChange[];

  /** `changes` are those of its members besides the model. */
  constructor(
    body: Uint8Array,
    members: readonly JsonMember[],
    { id, idJson }: Asked["model"],
    changes: readonly MemberChange[],
  ) {
    this.#body = body;
    this.#members = members;
    this.#changes = [...changes, { name: "model", value: id, json: idJson }];
    this.usage = usageOf(memberValue(body, members, "usage"));
    this.json = this.#write(this.#changes);
  }

  withUsage({ prompt_tokens, total_tokens }: Usage): string {
    return this.#write([...this.#changes, { name: "usage", value: { prompt_tokens, total_tokens } }]);
  }

  #write(changes: readonly MemberChange[]): string {
    const json = decodeUtf8(spliceMembers(this.#body, this.#members, changes));
    if (json === undefined) throw new ProviderError("invalid_response", "The embeddings are not valid UTF-8.");
    return json;
  }
}

/** Embeddings have no output. Some upstreams report only the total. */
function usageOf(value: unknown): Usage | undefined {
  if (!isJsonObject(value)) return undefined;
  const prompt = tokenCountOf(value["prompt_tokens"]) ?? value["total_tokens"];
  return readUsage({ ...value, prompt_tokens: prompt, completion_tokens: 0 });
}

/** The members of an answer. https://platform.openai.com/docs/api-reference/embeddings/object */
const answerMembers = {
  known: new Set(["data", "id", "created", "object", "prompt_tokens", "total_tokens", "type", "usage"]),
  opaque: new Set<string>(),
};

/** Returns the members beside the vectors, as values. */
const besideVectors = (body: Uint8Array, members: readonly JsonMember[]): JsonObject =>
  Object.fromEntries(
    members
      .map((member) => nameOf(body, member))
      .filter((name) => name !== "data")
      .map((name) => [name, memberValue(body, members, name)]),
  );

function memberValue(body: Uint8Array, members: readonly JsonMember[], name: string): unknown {
  const member = members.findLast((each) => isNamed(body, each, name));
  return member && tryParseJson(decodeUtf8(body.subarray(member.valueStart, member.valueEnd)) ?? "null");
}
