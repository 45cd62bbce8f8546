import type { ModelTarget } from "../catalogue/model.ts";
import { ProviderError } from "../errors/provider-error.ts";
import { plausibleUsage } from "../money/plausible-usage.ts";
import type { Output } from "../money/token-counter.ts";
import { type CompletionBytes, isCompletionBytes, type ProviderAnswer } from "../ports/provider-adapter.ts";
import { readCompletionBody } from "../providers/completion-body.ts";
import { findModel } from "../wire/find-model.ts";
import { type Mended, type MendedChoice, mendCompletion } from "../wire/mend-completion.ts";
import { outputBytes, outputText } from "../wire/output-text.ts";
import { takeWhole } from "../wire/whole-completion.ts";
import type { Held } from "./hold-balance.ts";

/** What is to be known of the request that is answered. */
type Asked = Pick<Held, "model" | "requestId" | "startedAt" | "promptBound" | "outputBound">;

/** What a provider answered, mended, and as JSON for the client. */
export interface ReadCompletion extends Mended {
  /** With the usage that the provider reported. */
  readonly json: string;
}

/** Mends and checks what a provider answered. Throws a ProviderError for what is no completion, and for an error that the upstream reports in its place. */
export function readCompletion(asked: Asked, target: ModelTarget, given: ProviderAnswer): ReadCompletion {
  return isCompletionBytes(given) ? readBytes(asked, target, given) : write(mend(asked, given));
}

/** Before it is paid for: JSON.stringify gives up on what is nested too deeply, and on what no provider should give. */
function write(mended: Mended): ReadCompletion {
  try {
    return { ...mended, json: JSON.stringify(mended.completion) };
  } catch (cause) {
    throw new ProviderError("invalid_response", "The answer cannot be passed on as JSON.", { cause });
  }
}

function mend(asked: Asked, completion: unknown): Mended {
  const created = Math.floor(asked.startedAt / 1000);
  const mended = mendCompletion(completion, { model: asked.model.id, id: `chatcmpl-${asked.requestId}`, created });
  if (mended === undefined) throw new ProviderError("invalid_response", "The answer is not a chat completion.");
  return mended;
}

const noFingerprint = ',"system_fingerprint":null';

/** Most answers need another model name and no more, and to put that into their text costs half of writing them anew. */
function readBytes(
  asked: Asked,
  { provider, upstreamModel }: ModelTarget,
  { body, hidden }: CompletionBytes,
): ReadCompletion {
  const { completion, text } = readCompletionBody(body, () => ({
    provider: provider.name,
    hidden: [...(hidden ?? []), upstreamModel],
  }));
  const hasFingerprint = "system_fingerprint" in completion;
  const whole = text === undefined ? undefined : takeWhole(completion, asked.model.id);
  if (text === undefined || whole === undefined) return write(mend(asked, completion));
  // Another usage would be put into it once it is paid for, when it is too late to find that it cannot be written.
  const bound = { prompt: asked.promptBound, output: asked.outputBound.total };
  if (plausibleUsage(whole.usage, bound) === undefined) return write(whole);
  const range = findModel(text);
  if (range === undefined) return write(whole);
  const model = hasFingerprint ? asked.model.idJson : asked.model.idJson + noFingerprint;
  const json = text.slice(0, range.start) + model + text.slice(range.end);
  return { completion: whole.completion, usage: whole.usage, json };
}

/** What is charged for when no usage tells. */
export class CompletionOutput implements Output {
  readonly #choices: readonly MendedChoice[];

  constructor({ completion }: Mended) {
    this.#choices = completion.choices;
  }

  get outputBytes(): number {
    return this.#choices.reduce((sum, { message }) => sum + outputBytes(message), 0);
  }

  outputText(): string {
    return this.#choices.map(({ message }) => outputText(message)).join("\n");
  }
}
