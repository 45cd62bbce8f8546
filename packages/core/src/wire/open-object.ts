import * as v from "valibot";
import { isJsonObject, type JsonObject } from "./json.ts";

/**
 * valibot's `looseObject` for entries that change nothing: an object that they all accept is the output itself, with its
 * other members, which cost nothing. `looseObject` makes a copy of all members. Optional entries are `nullish`.
 */
export function openObject<const Entries extends v.ObjectEntries>(entries: Entries, message: string) {
  type Open = v.InferOutput<v.LooseObjectSchema<Entries, string>>;
  const accepted = v.custom<Open>(() => true);
  const refused = ({ input, received, message, path }: v.BaseIssue<unknown>) =>
    v.pipe(
      accepted,
      v.rawCheck(({ addIssue }) => addIssue({ input, received, message, ...(path && { path }) })),
    );
  const noObject = v.custom<Open>(() => false, message);
  const known = Object.entries(entries).map(([name, schema]) => toEntry(name, schema, message));
  return v.lazy((input) => {
    if (!isJsonObject(input)) return noObject;
    const issue = problemOf(known, input);
    return issue === undefined ? accepted : refused(issue);
  });
}

interface Entry {
  readonly name: string;
  readonly schema: v.ObjectEntries[string];
  readonly isOptional: boolean;
  /** Checked in no time, so that it may be checked again to learn what is wrong. */
  readonly isLeaf: boolean;
  readonly missing: v.GenericSchema;
}

const leaves: ReadonlySet<string> = new Set(["string", "number", "boolean", "literal", "picklist", "custom"]);

function toEntry(name: string, schema: v.ObjectEntries[string], message: string): Entry {
  const isOptional = schema.type === "nullish";
  const inner = "wrapped" in schema ? schema.wrapped : schema;
  return {
    name,
    schema,
    isOptional,
    isLeaf: leaves.has(typeOf(inner)),
    missing: v.object({ [name]: schema }, message),
  };
}

const typeOf = (schema: unknown): string =>
  isJsonObject(schema) && typeof schema["type"] === "string" ? schema["type"] : "";

/** The first problem of the members; each that holds others is run once, whatever is wrong inside. */
function problemOf(entries: readonly Entry[], input: JsonObject): v.BaseIssue<unknown> | undefined {
  for (const { name, schema, isOptional, isLeaf, missing } of entries) {
    const value = input[name];
    if (value == null && isOptional) continue;
    if (value === undefined) return v.safeParse(missing, {}).issues?.[0];
    if (isLeaf && v.is(schema, value)) continue;
    const { issues } = v.safeParse(schema, value, { abortEarly: true });
    if (issues !== undefined)
      return inside(issues[0], { type: "object", origin: "value", input: {}, key: name, value });
  }
  return undefined;
}

const inside = (issue: v.BaseIssue<unknown>, item: v.IssuePathItem): v.BaseIssue<unknown> => ({
  ...issue,
  path: [item, ...(issue.path ?? [])],
});
