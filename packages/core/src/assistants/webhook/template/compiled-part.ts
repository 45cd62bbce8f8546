import type { WebhookError } from "../../../ports/webhook-error.ts";
import type { Scope } from "./scope.ts";

/** A part of a rendered webhook, or why there is none. */
export type RenderedPart<T> = { readonly value: T } | { readonly error: WebhookError };

/** A part of a webhook whose template has been read. */
export type PartTemplate<T> = (scope: Scope) => RenderedPart<T>;

/** A part's template, or all that is wrong with it, each with its place. */
export type CompiledPart<T> = { readonly template: PartTemplate<T> } | { readonly problems: readonly string[] };
