interface Schema {
  readonly type?: unknown;
  readonly entries?: unknown;
  readonly item?: unknown;
  readonly wrapped?: unknown;
  readonly pipe?: unknown;
  readonly getter?: unknown;
}

const isSchema = (value: unknown): value is Schema => typeof value === "object" && value !== null;

/** Inputs by which a lazy schema chooses: the object, list or literal that it also takes. */
const samples: readonly unknown[] = [undefined, {}, { kind: "embedding" }, [], "", () => []];

/**
 * The names of every option below a valibot schema, such as `models[].price.input`. The members of objects that occur
 * more than once are named at the shortest place alone.
 */
export function optionNames(root: unknown): readonly string[] {
  const names = new Set<string>();
  const seen = new Set<unknown>();
  let level: readonly (readonly [prefix: string, schema: unknown])[] = [["", root]];
  while (level.length > 0) {
    const next: [string, unknown][] = [];
    for (const [prefix, schema] of level) {
      for (const { path, entries } of objectsIn(schema, prefix)) {
        if (seen.has(entries)) continue;
        seen.add(entries);
        for (const [name, member] of Object.entries(entries)) {
          const full = path === "" ? name : `${path}.${name}`;
          names.add(full);
          next.push([full, member]);
        }
      }
    }
    level = next;
  }
  return [...names];
}

/** The objects that a schema describes itself or as the elements of a list, not below their members. */
function objectsIn(schema: unknown, path: string): readonly { readonly path: string; readonly entries: object }[] {
  if (!isSchema(schema)) return [];
  const { entries, item, wrapped, pipe, getter } = schema;
  // A pipe begins with the schema itself, as valibot makes it.
  if (Array.isArray(pipe)) return pipe.flatMap((each) => (Object.is(each, schema) ? [] : objectsIn(each, path)));
  if (typeof getter === "function") return samples.flatMap((sample) => objectsIn(getter(sample), path));
  if (isSchema(entries)) return [{ path, entries }];
  if (isSchema(item)) return objectsIn(item, `${path}[]`);
  return objectsIn(wrapped, path);
}
