import type { NativeJson, ReadAnswer } from "../../answering/dialect-codec.ts";
import { ProviderError } from "../../errors/provider-error.ts";
import { contextOf } from "../../failures/failure.ts";
import { noOutput } from "../../money/token-counter.ts";
import type { ModelTarget } from "../../ports/model.ts";
import type { Held } from "../../request/request-stages.ts";
import { guardOf } from "../../streaming/answer-guard.ts";
import { readReportedError } from "../../streaming/frame-reports.ts";
import { decodeUtf8 } from "../../wire/bytes.ts";
import { type MemberChange, spliceMembers } from "../../wire/forwarding/splice-members.ts";
import { isJsonObject, type JsonObject, tryParseJson } from "../../wire/json.ts";
import { isNamed, type JsonMember, nameOf } from "../../wire/json-members.ts";
import { isTokenCount, readUsage, type Usage } from "../../wire/usage.ts";
import { scanEmbeddings } from "./scan-embeddings.ts";

/** The parts of a request that reading its answer needs. */
type Asked = {
  readonly model: Pick<Held["model"], "id" | "idJson">;
  readonly content: Pick<Held["content"], "prompt" | "original">;
};

/**
 * Reads the upstream's embeddings. Their numbers are forwarded as they are; only the members beside them are parsed. Throws a
 * ProviderError if it is an error, if it is cut off, and if it has another number of vectors than the request has inputs.
 */
export function readEmbeddings(asked: Asked, target: ModelTarget, answer: NativeJson): ReadAnswer {
  const { body } = answer;
  const scanned = scanEmbeddings(body);
  const context = contextOf(target, asked.model.id, answer);
  const beside = scanned && besideVectors(body, scanned.members);
  const error = beside && readReportedError(beside, () => context);
  if (error !== undefined) throw error;
  const { provider } = target;
  const { inputs } = asked.content.prompt;
  if (scanned === undefined || scanned.vectors === undefined || scanned.vectors !== inputs?.count) {
    const received =
      scanned?.vectors === undefined
        ? "something that is not a list of embeddings. Check its base URL and the name of the model"
        : `${scanned.vectors} embeddings for ${inputs?.count} inputs. Check the name of the model`;
    throw new ProviderError("invalid_response", `${provider.name} answered with ${received}.`);
  }
  const cleaned = beside && guardOf(answerMembers, asked, target, context).clean(beside);
  const foreign = Object.keys(beside ?? {}).filter((name) => cleaned?.[name] === undefined);
  return new EmbeddingsAnswer(body, scanned.members, asked.model, foreign);
}

class EmbeddingsAnswer implements ReadAnswer {
  readonly output = noOutput;
  readonly usage: Usage | undefined;
  readonly json: string;
  readonly #body: Uint8Array;
  readonly #members: readonly JsonMember[];
  readonly #changes: readonly MemberChange[];

  /** `foreign` are the names of members that are left out. */
  constructor(
    body: Uint8Array,
    members: readonly JsonMember[],
    { id, idJson }: Asked["model"],
    foreign: readonly string[],
  ) {
    this.#body = body;
    this.#members = members;
    this.#changes = [
      { name: "model", value: id, json: idJson },
      ...foreign.map((name) => ({ name, value: undefined })),
    ];
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
  const { prompt_tokens: prompt, total_tokens: total } = value;
  return readUsage({ ...value, prompt_tokens: isTokenCount(prompt) ? prompt : total, completion_tokens: 0 });
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
