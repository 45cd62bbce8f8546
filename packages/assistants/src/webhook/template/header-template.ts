import { isHeaderName, reservedHeader } from "@tollgate/core/extension";
import type { CompiledPart, RenderedPart } from "./compiled-part.ts";
import { renderText } from "./render-text.ts";
import type { Scope } from "./scope.ts";
import { invalidHeaderValue } from "./template-errors.ts";
import { textOf } from "./value-forms.ts";

/** Names and values of headers, in order. */
export type Headers = readonly (readonly [name: string, value: string])[];

interface Header {
  readonly key: string;
  readonly value: string;
}

const control = /\p{Control}/u;

/** Compiles headers. Values are inserted unchanged. A rendered value with a control character is an error. */
export function compileHeaders(headers: readonly Header[]): CompiledPart<Headers> {
  const problems = headers.flatMap(headerProblems);
  return problems.length > 0 ? { problems } : { template: (scope) => renderHeaders(headers, scope) };
}

function headerProblems({ key, value }: Header, index: number): string[] {
  const name = headerNameProblem(key);
  const odd = value.search(control);
  return [
    ...(name === undefined ? [] : [`headers[${index}].key: ${name}`]),
    ...(odd < 0
      ? []
      : [`headers[${index}].value, character ${odd + 1}: the value has a control character. Remove it.`]),
  ];
}

/** Returns why a webhook must not set a header of this name; undefined: it may. */
function headerNameProblem(name: string): string | undefined {
  const shown = JSON.stringify(name);
  if (!isHeaderName(name)) return `${shown} is not a valid header name. Use letters, digits and -.`;
  switch (reservedHeader(name)) {
    case "client":
      return `${shown} is set by the HTTP client. Remove it.`;
    case "metadata":
      return `${shown} is a header of cloud metadata services, which webhooks must not call. Remove it.`;
    default:
      return undefined;
  }
}

function renderHeaders(headers: readonly Header[], scope: Scope): RenderedPart<Headers> {
  const rendered = headers.map(({ key, value }) => [key, renderText(value, scope, textOf)] as const);
  const refused = rendered.find(([, value]) => control.test(value));
  return refused === undefined ? { value: rendered } : { error: invalidHeaderValue(refused[0]) };
}
