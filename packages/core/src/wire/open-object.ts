import * as v from "valibot";
import { isJsonObject, type JsonObject } from "./json.ts";

/**
 * What is inspected in objects of a schema, beside its entries. Every entry is inspected: it may occur once, in one spelling, and
 * an optional one that is null is removed.
 */
export interface ObjectNotes {
  /** Further names that are checked, counted or priced. Their values may be anything. */
  readonly reads?: readonly string[];
  /** Further names of lists, with the schema of their objects, which are inspected too. */
  readonly lists?: Readonly<Record<string, () => v.GenericSchema>>;
  /** Names that are refused here in any spelling, in addition to those of the whole request, unless they request nothing or are priced. */
  readonly refuses?: readonly string[];
  /** Names that are not refused here. */
  readonly allows?: readonly string[];
  /** True for objects that a model reads: their other members are searched for media, and for references to files. */
  readonly isContent?: boolean;
  /** Optional entries that keep a null, since it is a value of its own. */
  readonly keepsNull?: readonly string[];
  /** Names whose values are inspected. */
  readonly watches?: Readonly<Partial<Record<Watch, readonly string[]>>>;
  /** In one type of several: further texts without which only the parser decides. */
  readonly needs?: readonly string[];
  /** In one type of several: true if only the parser decides. */
  readonly isParsed?: boolean;
  /** In a request: the members that the scan checks in place of the parser. The first is the list of messages. */
  readonly scanned?: readonly [string, ...string[]];
}

/**
 * Why a value is inspected: it is the URL of an image, or thoughts, which some upstreams refuse; it may request a feature under
 * another name; or it may hold media, though its name is checked.
 */
export type Watch = "address" | "thoughts" | "spelling" | "media";

/** A schema of objects with these entries, which may have further members. */
export interface OpenObject {
  readonly entries: v.ObjectEntries;
  readonly notes: ObjectNotes;
}

/**
 * A `looseObject` with these `entries`, for entries that change nothing. `message` says what a value must be that is not an
 * object. It returns an accepted object itself, while valibot's `looseObject`
 * copies all members. Optional entries are `nullish`.
 */
export function openObject<const Entries extends v.ObjectEntries>(
  entries: Entries,
  { message = "must be an object", ...others }: ObjectNotes & { readonly message?: string } = {},
) {
  const notes: ObjectNotes = others;
  type Open = v.InferOutput<v.LooseObjectSchema<Entries, string>>;
  const accepted = v.custom<Open>(() => true);
  const refused = ({ input, received, message, path }: v.BaseIssue<unknown>) =>
    v.pipe(
      accepted,
      v.rawCheck(({ addIssue }) => addIssue({ input, received, message, ...(path && { path }) })),
    );
  const noObject = v.custom<Open>(() => false, message);
  const known = Object.entries(entries).map(([name, schema]) => toEntry(name, schema, message));
  const schema = v.lazy((input) => {
    if (!isJsonObject(input)) return noObject;
    const issue = problemOf(known, input);
    return issue === undefined ? accepted : refused(issue);
  });
  return Object.assign(schema, { entries, notes });
}

/** True for the schema of a member that may be absent or null. */
export const isOptional = (schema: unknown): boolean => isJsonObject(schema) && schema["type"] === "nullish";

const leaves: ReadonlySet<string> = new Set(["string", "number", "boolean", "literal", "picklist", "custom"]);
/** The leaves that accept every value of a type of JavaScript, but NaN. */
const plainLeaves: ReadonlySet<string> = new Set(["string", "number", "boolean"]);

function toEntry(name: string, schema: v.ObjectEntries[string], message: string) {
  const inner = "wrapped" in schema ? schema.wrapped : schema;
  return {
    name,
    schema,
    isOptional: isOptional(schema),
    // A cheap check, which is repeated to find out what is wrong.
    isLeaf: leaves.has(typeOf(inner)),
    plainType: plainLeaves.has(typeOf(inner)) && !("pipe" in inner) ? typeOf(inner) : undefined,
    missing: v.looseObject({ [name]: schema }, message),
  };
}

const typeOf = (schema: unknown): string =>
  isJsonObject(schema) && typeof schema["type"] === "string" ? schema["type"] : "";

/** Returns the first problem of the members. Each nested object is checked only once. */
function problemOf(
  entries: readonly ReturnType<typeof toEntry>[],
  input: JsonObject,
): v.BaseIssue<unknown> | undefined {
  for (const { name, schema, isOptional, isLeaf, plainType, missing } of entries) {
    const value = input[name];
    if (value == null && isOptional) continue;
    if (value === undefined) return v.safeParse(missing, {}).issues?.[0];
    if (typeof value === plainType && !Number.isNaN(value)) continue;
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
