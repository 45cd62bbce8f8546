import { ProviderError } from "../errors/provider-error.ts";
import { includesText } from "../wire/bytes.ts";
import { isJsonObject, isPlainObject, isText, type JsonObject } from "../wire/json.ts";
import { parseLosslessJson, writeLosslessJson } from "../wire/lossless-json.ts";
import type { AnsweringTarget, FailureContext } from "./failure.ts";
import { SecretSearch } from "./secret-search.ts";

/** The members that answers of a dialect have by its reference, at any depth. */
export interface KnownMembers {
  /** They pass unless they contain a secret. */
  readonly known: ReadonlySet<string>;
  /** Those of them whose value has members that the client or the model names. */
  readonly opaque: ReadonlySet<string>;
}

/**
 * Makes the guard of an answer to a request, whose body may show what the client already knows. `context` has the texts that it
 * must not show.
 */
export const guardOf = (
  members: KnownMembers,
  { model, call }: { readonly model: { readonly id: string }; readonly call: { readonly original: Uint8Array } },
  { upstreamModel }: AnsweringTarget,
  context: FailureContext,
): AnswerGuard => new AnswerGuard(members, { public: model.id, upstream: upstreamModel }, call.original, context);

/**
 * Keeps from the client what a native answer must not show. Foreign members are left out if they contain the key, the
 * address or the upstream's name of the model. The output of the model is searched for the key and the address alone.
 */
export class AnswerGuard {
  /** The search in the pieces of the output. */
  readonly output: SecretSearch;
  readonly #members: KnownMembers;
  readonly #models: { readonly public: string; readonly upstream: string };
  readonly #provider: string;
  readonly #hidden: readonly string[];
  readonly #secrets: readonly string[];

  /** `sent` is the request. */
  constructor(
    members: KnownMembers,
    models: { readonly public: string; readonly upstream: string },
    sent: Uint8Array,
    { provider = "The provider", hidden = [], secrets = [] }: FailureContext,
  ) {
    this.#members = members;
    this.#models = models;
    this.#provider = provider;
    this.#secrets = secrets.filter((secret) => !includesText(sent, secret));
    this.#hidden = [...this.#secrets, ...hidden].filter(({ length }) => length > 2);
    this.output = new SecretSearch(this.#secrets);
  }

  /** True for the JSON of an answer that may have to be cleaned. */
  suspects(json: string): boolean {
    return this.#hidden.some((text) => json.includes(text)) || json.includes("\\u") || json.includes("\\/");
  }

  /** Returns the answer, or a copy without what must not be shown. Throws a ProviderError if a member that is known contains a secret. */
  clean(answer: JsonObject): JsonObject {
    let kept: Record<string, unknown> | undefined;
    for (const [name, value] of Object.entries(answer)) {
      const cleaned = this.#cleanMember(name, value);
      if (cleaned === value) continue;
      kept ??= { ...answer };
      if (cleaned === undefined) delete kept[name];
      else kept[name] = cleaned;
    }
    return kept ?? answer;
  }

  /** Does the same for an answer as JSON, whose numbers keep their digits. */
  cleanJson(json: string): string {
    const answer = parseLosslessJson(json);
    return isJsonObject(answer) ? writeLosslessJson(this.clean(answer)) : json;
  }

  /** The failure of an answer that contains a secret. */
  leak(): ProviderError {
    return new ProviderError(
      "invalid_response",
      `${this.#provider} sent its API key or its address in an answer, which was ended. Find the upstream or proxy that adds it.`,
    );
  }

  #cleanMember(name: string, value: unknown): unknown {
    const { known, opaque } = this.#members;
    if (name === "model" && isText(value)) return value.includes(this.#models.upstream) ? this.#models.public : value;
    if (!known.has(name)) return this.#hides(name) || this.#hides(textOf(value)) ? undefined : value;
    if (opaque.has(name)) this.#refuseSecrets(textOf(value));
    else return this.#cleanValue(value);
    return value;
  }

  #cleanValue(value: unknown): unknown {
    if (typeof value === "string") this.#refuseSecrets(value);
    else if (Array.isArray(value)) {
      const cleaned = value.map((each) => this.#cleanValue(each));
      return cleaned.some((each, at) => each !== value[at]) ? cleaned : value;
    } else if (isPlainObject(value)) return this.clean(value);
    return value;
  }

  #hides = (text: string): boolean => this.#hidden.some((hidden) => text.includes(hidden));

  #refuseSecrets(text: string): void {
    if (this.#secrets.some((secret) => text.includes(secret))) throw this.leak();
  }
}

const textOf = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value));
