import * as v from "valibot";

/** The members of an answer in their order, each with its schema and how its value is read from the source. */
type Members<Source> = Readonly<Record<string, readonly [schema: v.GenericSchema, read: (source: Source) => unknown]>>;

/** The same members, whose values must be those of their schemas. Undefined leaves an optional member out. */
type Checked<Source, Table extends Members<Source>> = {
  readonly [Name in keyof Table]: readonly [schema: Table[Name][0], read: (source: Source) => Value<Table[Name][0]>];
};
type Value<Schema extends v.GenericSchema> =
  | v.InferInput<Schema>
  | (Schema extends v.ExactOptionalSchema<v.GenericSchema, undefined> ? undefined : never);

type Entries<Table extends Members<never>> = { readonly [Name in keyof Table]: Table[Name][0] };

/** An answer, or an object in one: its schema, and the function that makes it. */
export interface Answer<Source, Table extends Members<Source>> {
  /** For answers that have more members. */
  readonly members: Table;
  readonly schema: v.StrictObjectSchema<Entries<Table>, undefined>;
  /** Makes the answer of a source, with no members but these, since a store of the host may return others. */
  readonly show: (source: Source) => v.InferInput<v.StrictObjectSchema<Entries<Table>, undefined>>;
}

/**
 * Defines an answer by its members. `Source` is what it is made from. It is called in two steps, since TypeScript infers either
 * all types of a call or none.
 */
export function answerFrom<Source>(): <Table extends Members<Source>>(
  members: Table & Checked<Source, Table>,
) => Answer<Source, Table>;
/** The implementation, since types cannot show that every member keeps its name. */
export function answerFrom() {
  return (members: Members<unknown>): Answer<unknown, Members<unknown>> => {
    const entries = Object.entries(members);
    return {
      members,
      schema: v.strictObject(Object.fromEntries(entries.map(([name, [schema]]) => [name, schema]))),
      show(source) {
        const answer: Record<string, unknown> = {};
        for (const [name, [, read]] of entries) {
          const value = read(source);
          if (value !== undefined) answer[name] = value;
        }
        return answer;
      },
    };
  };
}

/** Shows a value, or null if it is absent. */
export const orNull = <T, Shown>(value: T | null | undefined, show: (value: T) => Shown): Shown | null =>
  value == null ? null : show(value);

/** Copies a list, so that the answer shares nothing with its source. */
export const copied = <T>(list: readonly T[]): T[] => [...list];
