import * as v from "valibot";
import { isJsonObject, isText, type JsonObject } from "./json.ts";
import { isOptional, type ObjectNotes, type OpenObject } from "./open-object.ts";
import { text } from "./value-schemas.ts";

/** A schema that depends on the value: `options` returns the schemas between which it chooses. */
interface Choice {
  options(): readonly v.GenericSchema[];
}

/** A schema of objects, of one type or of several. */
export type Objects = OpenObject | (Choice & { readonly types: readonly OpenObject[]; readonly notes: ObjectNotes });

/** True for a schema of objects. */
export const isObjects = (schema: unknown): schema is Objects => isJsonObject(schema) && isJsonObject(schema["notes"]);

/** True for a schema that depends on the value. */
export const isChoice = (schema: unknown): schema is Choice =>
  isJsonObject(schema) && typeof schema["options"] === "function";

/**
 * The schema of objects of several types, which the entry `type` of each schema names. Objects of other types match `other`. The
 * notes are those of objects of any type. `typeOf` returns the type of an object, which is its member `type` if absent.
 */
export function byType<
  const Types extends readonly (v.GenericSchema & OpenObject)[],
  const Other extends v.GenericSchema,
>(
  types: Types,
  other: Other,
  { typeOf = ({ type }) => type, ...others }: ObjectNotes & { readonly typeOf?: (input: JsonObject) => unknown } = {},
) {
  const notes: ObjectNotes = others;
  const named = new Map<unknown, Types[number]>(
    types.flatMap((each) => typesOf(each).map((type): [string, Types[number]] => [type, each])),
  );
  const unnamed = types.find(hasOptionalType);
  const schema = v.lazy((input): Types[number] | Other => {
    if (!isJsonObject(input)) return other;
    const type = typeOf(input);
    return (type == null ? unnamed : named.get(type)) ?? other;
  });
  return Object.assign(schema, { types, notes, options: (): readonly v.GenericSchema[] => [...types, other] });
}

/** The schema of a text, or of another value, whose message describes both. */
export function textOr<const Other extends v.GenericSchema>(other: () => Other) {
  const schema = v.lazy((input): typeof text | Other => (typeof input === "string" ? text : other()));
  return Object.assign(schema, { options: (): readonly v.GenericSchema[] => [text, other()] });
}

/** Returns a check for objects of the type of a schema, which have been validated. */
export function isOf<Output extends JsonObject>(
  schema: v.GenericSchema<unknown, Output> & OpenObject,
  typeOf: (value: JsonObject) => unknown = ({ type }) => type,
): (value: JsonObject) => value is Output {
  const types: ReadonlySet<unknown> = new Set(typesOf(schema));
  return (value): value is Output => types.has(typeOf(value));
}

/** The texts that the schema of a type names it by. */
export const typesOf = ({ entries }: Pick<OpenObject, "entries">): readonly string[] => textsOf(entries["type"]);

/** True if objects of a type may leave the type out. */
export const hasOptionalType = ({ entries }: Pick<OpenObject, "entries">): boolean => isOptional(entries["type"]);

/** Returns the texts that a schema accepts. None for a schema that accepts any. */
export function textsOf(schema: unknown): readonly string[] {
  if (!isJsonObject(schema)) return [];
  const { type, wrapped, literal, options } = schema;
  if (type === "nullish") return textsOf(wrapped);
  if (type === "literal") return isText(literal) ? [literal] : [];
  return type === "picklist" && Array.isArray(options) ? options.filter(isText) : [];
}
