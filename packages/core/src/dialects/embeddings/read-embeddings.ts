import type { NativeJson, ReadAnswer } from "../../answering/dialect-codec.ts";
import { ProviderError } from "../../errors/provider-error.ts";
import { noOutput } from "../../money/token-counter.ts";
import type { ModelTarget } from "../../ports/model.ts";
import type { Held } from "../../request/request-stages.ts";
import { readReportedError } from "../../streaming/frame-reports.ts";
import { decodeUtf8 } from "../../wire/bytes.ts";
import { type MemberChange, spliceMembers } from "../../wire/forwarding/splice-members.ts";
import { isJsonObject, tryParseJson } from "../../wire/json.ts";
import { isNamed, type JsonMember } from "../../wire/json-members.ts";
import { isTokenCount, readUsage, type Usage } from "../../wire/usage.ts";
import { scanEmbeddings } from "./scan-embeddings.ts";

/** The parts of a request that reading its answer needs. */
type Asked = {
  readonly model: Pick<Held["model"], "id" | "idJson">;
  readonly content: Pick<Held["content"], "prompt">;
};

/**
 * Reads the upstream's embeddings. Their numbers are forwarded as they are; only the members beside them are parsed. Throws a
 * ProviderError if it is an error, if it is cut off, and if it has another number of vectors than the request has inputs.
 */
export function readEmbeddings(asked: Asked, target: ModelTarget, { body, hidden }: NativeJson): ReadAnswer {
  const scanned = scanEmbeddings(body);
  const error = scanned && reportedError(body, scanned.members, target, hidden);
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
  return new EmbeddingsAnswer(body, scanned.members, asked.model);
}

class EmbeddingsAnswer implements ReadAnswer {
  readonly output = noOutput;
  readonly usage: Usage | undefined;
  readonly json: string;
  readonly #body: Uint8Array;
  readonly #members: readonly JsonMember[];
  readonly #model: MemberChange;

  constructor(body: Uint8Array, members: readonly JsonMember[], { id, idJson }: Asked["model"]) {
    this.#body = body;
    this.#members = members;
    this.#model = { name: "model", value: id, json: idJson };
    this.usage = usageOf(memberValue(body, members, "usage"));
    this.json = this.#write([this.#model]);
  }

  withUsage({ prompt_tokens, total_tokens }: Usage): string {
    return this.#write([this.#model, { name: "usage", value: { prompt_tokens, total_tokens } }]);
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

function reportedError(
  body: Uint8Array,
  members: readonly JsonMember[],
  { provider, upstreamModel }: ModelTarget,
  hidden: readonly string[] = [],
): ProviderError | undefined {
  const value = Object.fromEntries(
    ["error", "object", "message", "code", "type"].map((name) => [name, memberValue(body, members, name)]),
  );
  return readReportedError(value, () => ({ provider: provider.name, hidden: [...hidden, upstreamModel] }));
}

function memberValue(body: Uint8Array, members: readonly JsonMember[], name: string): unknown {
  const member = members.findLast((each) => isNamed(body, each, name));
  return member && tryParseJson(decodeUtf8(body.subarray(member.valueStart, member.valueEnd)) ?? "null");
}
