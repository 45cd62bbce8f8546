import type * as v from "valibot";
import type { MemberChange } from "./edits.ts";
import { commonOf, type Expected, expectedBy, filledText, ofTexts, withNull, withoutNull } from "./expected-values.ts";
import { cacheMember, moving, neverInspected } from "./inspected-names.ts";
import { isJsonObject, type JsonObject } from "./json.ts";
import { type Inside, type InspectedName, ObjectShape, type TypeRule } from "./object-shape.ts";
import { isOptional, type OpenObject } from "./open-object.ts";
import { hasOptionalType, isChoice, isObjects, type Objects, typesOf } from "./shape-choices.ts";

/** What the scan of a request knows of it. */
export interface RequestShape {
  /** The request itself, with the shapes inside. */
  readonly root: ObjectShape;
  /** Removes what the scan checks in place of the parser, but for the tools. */
  readonly removals: readonly MemberChange[];
  /** The shape of its messages. Undefined if the scan checks none. */
  readonly messages: ObjectShape | undefined;
  /** The shape of its tools. */
  readonly tools: ObjectShape | undefined;
  /** The members that count as absent if they are null. */
  readonly optional: ReadonlySet<string>;
  /** The names that are checked, at any depth. */
  readonly names: ReadonlySet<string>;
}

/**
 * Makes the shape of a request from its schema, so that the scan accepts nothing that the schema refuses: what it cannot
 * decide by the first bytes of a value, it leaves to the parser. Each of its objects refuses the names of `refused`.
 */
export function shapeOf(request: OpenObject, refused: readonly string[] = moving): RequestShape {
  const { entries, notes } = request;
  const { reads = [] } = notes;
  const scanned: readonly string[] = notes.scanned ?? [];
  const shapes = new Shapes(refused);
  const root = shapes.of(request, false);
  const listed = (name: string | undefined) => {
    const found = name !== undefined && scanned.includes(name) ? objectsIn(entries[name]) : undefined;
    return found && shapes.of(found.objects, true);
  };
  return {
    root,
    removals: scanned.filter((name) => name !== "tools").map((name) => ({ name, value: undefined })),
    messages: listed(scanned[0]),
    tools: listed("tools"),
    optional: new Set([...Object.keys(entries).filter((name) => isOptional(entries[name])), ...reads]),
    names: shapes.names,
  };
}

/** Returns the changes that remove the members of a request that count as absent, since some upstreams refuse a null. */
export function nullChanges(request: JsonObject, { optional }: RequestShape): readonly MemberChange[] {
  const changes: MemberChange[] = [];
  for (const name in request)
    if (request[name] === null && optional.has(name)) changes.push({ name, value: undefined });
  return changes;
}

/** The objects of one shape, by their types. */
interface Kind {
  readonly notes: Objects["notes"];
  /** The types that the scan decides, with one that may be left out first. */
  readonly decided: readonly OpenObject[];
  /** The types that are left to the parser. */
  readonly parsed: readonly OpenObject[];
}

function kindOf(objects: Objects): Kind {
  const all = "types" in objects ? objects.options().flatMap((each) => (isOpenObject(each) ? [each] : [])) : [objects];
  const types = "types" in objects ? objects.types : all;
  const decided = types.filter(({ notes }) => notes.isParsed !== true);
  return {
    notes: objects.notes,
    decided: decided.toSorted((a, b) => Number(hasOptionalType(b)) - Number(hasOptionalType(a))),
    parsed: all.filter((type) => !decided.includes(type)),
  };
}

const isOpenObject = (schema: unknown): schema is OpenObject => isObjects(schema) && "entries" in schema;

/** Returns the schema of the objects that a value is, or lists. */
function objectsIn(schema: unknown): { readonly objects: Objects; readonly isArray: boolean } | undefined {
  if (isObjects(schema)) return { objects: schema, isArray: false };
  if (!isJsonObject(schema)) return undefined;
  const { type, wrapped, item } = schema;
  if (type === "nullish") return objectsIn(wrapped);
  if (type === "array") return isObjects(item) ? { objects: item, isArray: true } : undefined;
  if (!isChoice(schema)) return undefined;
  return schema
    .options()
    .map(objectsIn)
    .find((each) => each !== undefined);
}

/** Makes each shape once, since objects contain others of their own kind. */
class Shapes {
  readonly names = new Set<string>();
  readonly #refused: readonly string[];
  readonly #known = new Map<Objects, ObjectShape>();

  constructor(refused: readonly string[]) {
    this.#refused = refused;
  }

  /** `isScanned` is false for objects that are parsed in any case. */
  of(objects: Objects, isScanned: boolean): ObjectShape {
    const known = this.#known.get(objects);
    if (known !== undefined) return known;
    const kind = kindOf(objects);
    const { isContent = false, scanned, watches, refuses = [], allows = [] } = kind.notes;
    const names = namesIn(kind);
    const rules = isScanned ? kind.decided.flatMap((type) => rulesOf(type, kind, names)) : [];
    const shape = new ObjectShape(isContent, rules);
    this.#known.set(objects, shape);
    for (const [index, name] of names.entries()) {
      this.names.add(name);
      const isChecked = scanned === undefined ? isScanned : scanned.includes(name);
      const found = isChecked ? expectedOf(kind, name) : undefined;
      // What is removed for the parser cannot be found to be null later.
      const expected = found && scanned !== undefined && name !== "tools" ? withoutNull(found) : found;
      const inside = this.#inside(kind, name, isChecked);
      const watch = watchOf(kind, name);
      shape.check({ name, isRefused: false, isType: name === "type", bit: 1 << index, watch, expected, inside });
    }
    for (const name of watches?.thoughts ?? []) shape.addThoughts(name);
    const refused = [...this.#refused.filter((name) => !allows.includes(name)), ...refuses];
    for (const name of refused) if (!names.includes(name)) shape.refuse(name);
    return shape;
  }

  /** The data of the client is not inspected. */
  #inside(kind: Kind, name: string, isScanned: boolean): Inside | undefined {
    const found = insideOf(kind, name);
    if (found === undefined || (!found.isArray && neverInspected.includes(name))) return undefined;
    return { shape: this.of(found.objects, isScanned), isArray: found.isArray };
  }
}

/** The names that have a bit of their own. */
const maxNames = 31;

function namesIn({ notes, decided, parsed }: Kind): readonly string[] {
  const { reads = [], lists = {}, watches: { thoughts: _, ...watches } = {} } = notes;
  const types = [...decided, ...parsed].flatMap(({ entries, notes: { needs = [] } }) => [
    ...Object.keys(entries),
    ...needs,
  ]);
  const names = [...new Set([...types, ...reads, ...Object.keys(lists), ...Object.values(watches).flat()])];
  if (names.length > maxNames) throw new Error(`An object has more than ${maxNames} names: ${names.join(", ")}.`);
  return names;
}

/** Returns the schemas of a member in the types that have it. */
const schemasOf = (types: readonly OpenObject[], name: string): readonly v.ObjectEntries[string][] =>
  types.flatMap(({ entries }) => (Object.hasOwn(entries, name) ? (entries[name] ?? []) : []));

function insideOf({ notes, decided, parsed }: Kind, name: string): ReturnType<typeof objectsIn> {
  const list = notes.lists?.[name]?.();
  if (isObjects(list)) return { objects: list, isArray: true };
  const found = schemasOf([...decided, ...parsed], name).flatMap((schema) => objectsIn(schema) ?? []);
  if (new Set(found.map(({ objects }) => objects)).size > 1)
    throw new Error(`Two types of objects have different schemas for ${name}. Give them the same one.`);
  return found[0];
}

/** A member that holds objects, or that types left to the parser have, is unexpected in any other type. */
function rulesOf(type: OpenObject, kind: Kind, names: readonly string[]): readonly TypeRule[] {
  const { entries, notes } = type;
  const isRequired = (name: string) => Object.hasOwn(entries, name) && !isOptional(entries[name]);
  const isUnexpected = (name: string) =>
    !Object.hasOwn(entries, name) &&
    kind.notes.reads?.includes(name) !== true &&
    (insideOf(kind, name) !== undefined || schemasOf(kind.parsed, name).length > 0);
  const bitsOf = (is: (name: string) => boolean) =>
    names.reduce((bits, name, index) => (is(name) ? bits | (1 << index) : bits), 0);
  const required = bitsOf((name) => isRequired(name) || notes.needs?.includes(name) === true);
  const excluded = bitsOf(isUnexpected);
  const texts = typesOf(type);
  return (texts.length === 0 ? [""] : texts).map((text) => ({ type: text, required, excluded }));
}

/** The type of an object decides which members it needs, but comes in any place: a member is what all types expect that have it. */
function expectedOf({ decided }: Kind, name: string): Expected | undefined {
  const types = decided.flatMap(typesOf);
  if (name === "type" && types.length > 0) return ofTexts(types);
  const schemas = schemasOf(decided, name);
  // A required member that is null breaks the rule of its type.
  const expected = schemas.map((schema) => (isOptional(schema) ? expectedBy(schema) : withNull(expectedBy(schema))));
  const needed = decided.some(({ notes }) => notes.needs?.includes(name) === true) ? [withNull(filledText)] : [];
  return commonOf([...expected, ...needed]);
}

function watchOf({ notes, decided, parsed }: Kind, name: string): InspectedName["watch"] {
  const { watches = {}, keepsNull = [] } = notes;
  const { address = [], spelling = [], media = [] } = watches;
  if (name === cacheMember) return "cache";
  if (address.includes(name)) return "address";
  if (spelling.includes(name)) return "spelling";
  if (media.includes(name)) return "media";
  // In objects of several types, it may be a value of another type.
  const [only, ...others] = [...decided, ...parsed];
  const isNullable = others.length === 0 && isOptional(only?.entries[name]) && !keepsNull.includes(name);
  return isNullable ? "null" : undefined;
}
