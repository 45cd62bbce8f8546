import type { Json } from "../../api/common.ts";
import { memberOf } from "../../api/member-of.ts";

/** Returns arguments for a JSON Schema: its examples and defaults, or an empty value of each property's type. */
export function exampleArguments(schema: Json): { readonly [name: string]: Json } {
  const properties = memberOf(schema, "properties");
  if (typeof properties !== "object" || properties === null || Array.isArray(properties)) return {};
  return Object.fromEntries(Object.entries(properties).map(([name, property]) => [name, exampleOf(property)]));
}

function exampleOf(schema: Json): Json {
  const fixed = memberOf(schema, "default") ?? firstOf(schema, "examples") ?? firstOf(schema, "enum");
  return fixed ?? empty[String(memberOf(schema, "type"))] ?? "";
}

const empty: Readonly<Record<string, Json>> = {
  string: "",
  number: 0,
  integer: 0,
  boolean: false,
  array: [],
  object: {},
};

function firstOf(schema: Json, name: string): Json | undefined {
  const list = memberOf(schema, name);
  return Array.isArray(list) ? list[0] : undefined;
}
