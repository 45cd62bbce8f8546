import type { WebhookError } from "@tollgate/core/extension";
import type { WebhookConfig } from "../definition/assistant-config.ts";
import type { CompiledWebhook, RenderedWebhook, Rendering } from "../definition/compiled-webhook.ts";
import { compileBody } from "./template/body-template.ts";
import type { PartTemplate } from "./template/compiled-part.ts";
import { compileHeaders, type Headers } from "./template/header-template.ts";
import { knownNames, Scope } from "./template/scope.ts";
import { unresolvedVariable, unwritableValue } from "./template/template-errors.ts";
import { compileUrl } from "./template/url-template.ts";

/** The names that are known when an assistant is configured. */
export interface DeclaredNames {
  readonly properties: readonly string[];
  readonly secrets: readonly string[];
}

/** A compiled webhook; or all problems of its templates, each with its position: "url, character 9: ...". */
export type Compilation = { readonly webhook: CompiledWebhook } | { readonly problems: readonly string[] };

/** Parses the templates of a webhook. */
export function compileWebhook(config: WebhookConfig, names: DeclaredNames): Compilation {
  const url = compileUrl(config.url, config.hostVariables);
  const headers = compileHeaders(config.headers ?? []);
  const body = compileBody(config);
  if ("problems" in url || "problems" in headers || "problems" in body) {
    return { problems: [url, headers, body].flatMap((part) => ("problems" in part ? part.problems : [])) };
  }
  const templates = { url: url.template, headers: headers.template, body: body.template };
  const known = knownNames(names.properties, names.secrets);
  const { method } = config;
  return { webhook: { render: (sources) => renderAll(method, templates, new Scope(sources, known)) } };
}

interface Templates {
  readonly url: PartTemplate<string>;
  readonly headers: PartTemplate<Headers>;
  readonly body: PartTemplate<string | undefined>;
}

function renderAll(method: RenderedWebhook["method"], templates: Templates, scope: Scope): Rendering {
  const result = attempt(method, templates, scope);
  const variables = scope.used;
  if (scope.unresolved.length > 0) {
    return { outcome: "refused", error: unresolvedVariable(scope.unresolved), variables };
  }
  return "request" in result
    ? { outcome: "rendered", request: result.request, variables }
    : { outcome: "refused", error: result.error, variables };
}

type Attempt = { readonly request: RenderedWebhook } | { readonly error: WebhookError };

/** Renders every part, so that the scope knows all unresolved names. Returns the first error. */
function attempt(method: RenderedWebhook["method"], templates: Templates, scope: Scope): Attempt {
  try {
    const url = templates.url(scope);
    const headers = templates.headers(scope);
    const body = templates.body(scope);
    if ("error" in url) return url;
    if ("error" in headers) return headers;
    if ("error" in body) return body;
    return { request: { method, url: url.value, headers: headers.value, body: body.value } };
  } catch {
    // JSON.stringify overflows the stack for values that JSON.parse accepts, and a text can exceed the maximum string length.
    return { error: unwritableValue() };
  }
}
