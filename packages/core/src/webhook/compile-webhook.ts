import type { WebhookConfig } from "../assistant/assistant-config.ts";
import type { CompiledWebhook } from "./compiled-webhook.ts";

/** The names that are known when an assistant is configured. */
export interface DeclaredNames {
  readonly properties: readonly string[];
  readonly secrets: readonly string[];
}

/** A compiled webhook, or all that is wrong with its templates, each with its place: "url, character 9: ...". */
export type Compilation = { readonly webhook: CompiledWebhook } | { readonly problems: readonly string[] };

/** Reads the templates of a webhook once. */
export function compileWebhook(_config: WebhookConfig, _names: DeclaredNames): Compilation {
  throw new Error("The template engine is not built yet.");
}
