import type { WebhookError } from "@tollgate/core/extension";
import type { Scope } from "./scope.ts";

/** A rendered part of a webhook; or the error that prevents it. */
export type RenderedPart<T> = { readonly value: T } | { readonly error: WebhookError };

/** Renders a part of a webhook from its parsed template. */
export type PartTemplate<T> = (scope: Scope) => RenderedPart<T>;

/** The compiled template of a part; or its problems, each with its position. */
export type CompiledPart<T> = { readonly template: PartTemplate<T> } | { readonly problems: readonly string[] };
