import { isJsonObject } from "../json.ts";
import type { NormalizedCompletion } from "../normalize-completion.ts";
import type { Usage } from "../usage.ts";
import { CompletionTemplates } from "./completion-templates.ts";
import { findModel } from "./find-model.ts";
import { shortcuts } from "./shortcuts.ts";
import { asCanonicalCompletion } from "./whole-completion.ts";

/** The text of a completion, and where it comes from. */
export interface GivenCompletion {
  readonly text: string;
  /** Parses the text, and throws when there is no completion in it. */
  readonly parse: () => unknown;
  /** What has completions of few shapes, and always the same public model: a target. */
  readonly source: object;
}

/** A model id of the gateway, also as JSON. */
export interface PublicModel {
  readonly id: string;
  readonly idJson: string;
}

/** A completion as the client gets it: the text that the upstream sent, with the public model id. */
export interface ForwardedCompletion {
  readonly json: string;
  readonly usage: Usage;
  /** How many bytes more than the upstream's text that has in UTF-8, where it is known. */
  readonly growth: number | undefined;
  /** The same as a value; undefined where the text was not parsed. */
  readonly completion: NormalizedCompletion | undefined;
}

/** The templates of each source. */
const templates = new WeakMap<object, CompletionTemplates>();

const noFingerprint = ',"system_fingerprint":null';

/**
 * Puts the public model id into the text of a completion that needs no other change. For any other it returns the parsed
 * value, which has to be normalized: `normalizeCompletion` is the plain reference and makes the same of the former.
 */
export function forwardCompletion(
  { text, parse, source }: GivenCompletion,
  model: PublicModel,
): { readonly forwarded: ForwardedCompletion } | { readonly parsed: unknown } {
  if (!shortcuts.areOn) return { parsed: parse() };
  const known = templatesOf(source);
  const match = known.match(text);
  if (match !== undefined) return { forwarded: { ...match, completion: undefined } };
  const parsed = parse();
  const hasFingerprint = isJsonObject(parsed) && "system_fingerprint" in parsed;
  const canonical = asCanonicalCompletion(parsed, model.id);
  const range = canonical && findModel(text);
  if (range === undefined || canonical?.usage === undefined) return { parsed };
  const put = hasFingerprint ? model.idJson : model.idJson + noFingerprint;
  known.learn(text, range, put);
  const json = text.slice(0, range.start) + put + text.slice(range.end);
  return { forwarded: { json, usage: canonical.usage, growth: undefined, completion: canonical.completion } };
}

function templatesOf(source: object): CompletionTemplates {
  const known = templates.get(source);
  if (known !== undefined) return known;
  const fresh = new CompletionTemplates();
  templates.set(source, fresh);
  return fresh;
}
