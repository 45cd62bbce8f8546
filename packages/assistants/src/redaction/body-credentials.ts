import { isJsonList, isJsonMembers } from "@tollgate/core/extension";
import type { Json } from "@tollgate/core/provider";
import { isCredentialName } from "./credential-names.ts";

/** A value that is one variable, such as `Bearer $API_KEY`. It contains no credential itself. */
const onlyVariable = /^(?:[A-Za-z]+ )?\$(?:\{[^}]+\}|[\w.]+)$/;

/** True for the value of a header or member whose name marks a credential, unless it is one variable. */
export const isCredential = (name: string, value: unknown): boolean =>
  isCredentialName(name) && !(typeof value === "string" && onlyVariable.test(value));

/**
 * Replaces the members of a configured body whose names mark a credential, at any depth, with `mark`. In a body that is a
 * text, which need not be JSON before its variables are inserted, it replaces strings and numbers.
 */
export function hideBodyCredentials(body: Json, mark: string): Json {
  return typeof body === "string" ? hideInText(body, mark) : hideInValue(body, mark);
}

function hideInValue(value: Json, mark: string): Json {
  if (isJsonList(value)) return value.map((item) => hideInValue(item, mark));
  if (!isJsonMembers(value)) return value;
  const shown = Object.entries(value).map(([name, member]) => [
    name,
    isCredential(name, member) ? mark : hideInValue(member, mark),
  ]);
  return Object.fromEntries(shown);
}

const member = /"((?:[^"\\]|\\.)*)"(\s*:\s*)(?:"((?:[^"\\]|\\.)*)"|-?\d[\d.eE+-]*)/gs;

const hideInText = (text: string, mark: string): string =>
  text.replace(member, (whole, name: string, colon: string, value: string | undefined) =>
    isCredential(name, value) ? `"${name}"${colon}"${mark}"` : whole,
  );
