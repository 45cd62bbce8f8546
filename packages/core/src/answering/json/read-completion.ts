import { ProviderError } from "../../errors/provider-error.ts";
import { isImplausible } from "../../money/cost.ts";
import type { Output } from "../../money/token-counter.ts";
import type { ModelTarget } from "../../ports/model.ts";
import { type CompletionBytes, isCompletionBytes, type ProviderAnswer } from "../../ports/provider-adapter.ts";
import { bodyText, readCompletionBody } from "../../providers/completion-body.ts";
import { boundOf, type Held } from "../../request/request-stages.ts";
import type { ChatCompletion } from "../../wire/chat-completion.ts";
import { findModel } from "../../wire/find-model.ts";
import { type Normalized, type NormalizedCompletion, normalizeCompletion } from "../../wire/normalize-completion.ts";
import { outputBytes, outputText } from "../../wire/output-text.ts";
import type { Match } from "../../wire/template/completion-template.ts";
import type { ReportedUsage, Usage } from "../../wire/usage.ts";
import { asCanonicalCompletion } from "../../wire/whole-completion.ts";

/** What is to be known of the request that is answered. */
type Asked = Pick<Held, "model" | "requestId" | "startedAt" | "promptBound" | "outputBound" | "funds">;

/** What a provider answered, normalized, and as JSON for the client. The completion may be parsed only when it is asked for. */
export interface ReadCompletion extends Normalized {
  /** With the usage that the provider reported. */
  readonly json: string;
  /** The length of it in UTF-8, where it is known. */
  readonly jsonBytes?: number;
}

/** Normalizes and checks what a provider answered. Throws a ProviderError for what is no completion, and for an error that the upstream reports in its place. */
export function readCompletion(asked: Asked, target: ModelTarget, given: ProviderAnswer): ReadCompletion {
  return isCompletionBytes(given) ? readBytes(asked, target, given) : write(normalize(asked, given));
}

/** Before it is paid for: JSON.stringify gives up on what is nested too deeply, and on what no provider should give. */
function write(normalized: Normalized): ReadCompletion {
  try {
    return { ...normalized, json: JSON.stringify(normalized.completion) };
  } catch (cause) {
    throw new ProviderError("invalid_response", "The answer cannot be passed on as JSON.", { cause });
  }
}

function normalize(asked: Asked, completion: unknown): Normalized {
  const created = Math.floor(asked.startedAt / 1000);
  const normalized = normalizeCompletion(completion, {
    model: asked.model.id,
    id: `chatcmpl-${asked.requestId}`,
    created,
  });
  if (normalized === undefined) throw new ProviderError("invalid_response", "The answer is not a chat completion.");
  return normalized;
}

/** Most answers look like one before them, and need another model name and no more: those are not even parsed. */
function readBytes(asked: Asked, target: ModelTarget, { body, hidden }: CompletionBytes): ReadCompletion {
  const text = bodyText(body);
  const match = text === undefined ? undefined : target.templates.match(text);
  if (match !== undefined) return new MatchedCompletion(asked, match, body.length + match.growth);
  const { provider, upstreamModel } = target;
  const context = () => ({ provider: provider.name, hidden: [...(hidden ?? []), upstreamModel] });
  const completion = readCompletionBody(body, context, text);
  const changed = text === undefined ? undefined : changeText(asked, target, completion, text);
  return changed ?? write(normalize(asked, completion));
}

const noFingerprint = ',"system_fingerprint":null';

/** To put another model name into the text of a whole answer costs half of writing it anew. */
function changeText(
  asked: Asked,
  { templates, price }: ModelTarget,
  completion: ChatCompletion,
  text: string,
): ReadCompletion | undefined {
  const hasFingerprint = "system_fingerprint" in completion;
  const whole = asCanonicalCompletion(completion, asked.model.id);
  if (whole === undefined) return undefined;
  // Another usage would be put into it once it is paid for, when it is too late to find that it cannot be written.
  if (whole.usage === undefined || isImplausible(price, whole.usage, boundOf(asked))) return write(whole);
  const range = findModel(text);
  if (range === undefined) return write(whole);
  const model = hasFingerprint ? asked.model.idJson : asked.model.idJson + noFingerprint;
  templates.learn(text, range, model);
  return { ...whole, json: text.slice(0, range.start) + model + text.slice(range.end) };
}

/** A completion that a template knew. It was learned from a short text, so that it can be written anew with another usage. */
class MatchedCompletion implements ReadCompletion {
  readonly json: string;
  readonly jsonBytes: number;
  readonly usage: Usage;
  readonly partialUsage = undefined;
  readonly #asked: Asked;
  #completion: NormalizedCompletion | undefined;

  constructor(asked: Asked, { json, usage }: Match, jsonBytes: number) {
    this.#asked = asked;
    this.json = json;
    this.jsonBytes = jsonBytes;
    this.usage = usage;
  }

  get completion(): NormalizedCompletion {
    this.#completion ??= normalize(this.#asked, JSON.parse(this.json)).completion;
    return this.#completion;
  }
}

/** What is charged for when no usage tells. */
export class CompletionOutput implements Output {
  readonly unkeptBytes = 0;
  readonly #read: ReadCompletion;

  constructor(read: ReadCompletion) {
    this.#read = read;
  }

  get outputBytes(): number {
    return this.#read.completion.choices.reduce((sum, { message }) => sum + outputBytes(message), 0);
  }

  get reported(): ReportedUsage | undefined {
    const { partialUsage: usage } = this.#read;
    return usage && { usage, outputBytes: this.outputBytes };
  }

  outputText(): string {
    return this.#read.completion.choices.map(({ message }) => outputText(message)).join("\n");
  }
}
