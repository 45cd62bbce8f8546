import fc from "fast-check";

/** Values that name an image or a file, which are rare, because they make the gateway parse the whole request. */
const media = fc.constantFrom<unknown>(
  { image_url: { url: "https://h.example/a.png" } },
  { type: "image", source: { type: "url" } },
  [{ file_id: "f" }],
  { y: [{ videoUrl: "v" }] },
  { aud_io: "a" },
  { content: [{ type: "hologram" }] },
);

/** Any JSON value, and values that look like typical ones. */
export const odd: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 20, arbitrary: fc.jsonValue({ maxDepth: 2 }) },
  { weight: 20, arbitrary: fc.constantFrom<unknown>(null, "", [], {}, -0, "text", "user") },
  { weight: 1, arbitrary: media },
);

/** Rarely present, because it makes the gateway parse the whole request. */
export const seldom: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 40, arbitrary: fc.constant(undefined) },
  { weight: 1, arbitrary: odd },
);

/** Mostly a typical value, sometimes another. */
export const mostly = (usual: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> =>
  fc.oneof({ weight: 40, arbitrary: usual }, { weight: 1, arbitrary: odd });

/** Texts that JSON writes in several ways. */
export const anyText: fc.Arbitrary<string> = fc.oneof(
  fc.string(),
  fc.string({ unit: "binary" }),
  fc.constantFrom('"', "\\", "\n", "é", "😀", "\ud800"),
);

const isContainer = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;

/**
 * Values of `usual` of which mostly one member at any depth is replaced by an odd value, removed, or added under one of
 * `names`.
 */
export const withOneChange = <T extends object>(
  usual: fc.Arbitrary<T>,
  names: readonly string[],
): fc.Arbitrary<unknown> =>
  fc
    .tuple(
      usual,
      fc.array(fc.nat(), { maxLength: 8 }),
      fc.constantFrom("replace", "remove", "add"),
      odd,
      fc.constantFrom(...names),
    )
    .map(([value, path, kind, change, name]) => {
      const changed = structuredClone<unknown>(value);
      const found = path.reduce<readonly [Record<string, unknown>, string] | undefined>((at, step) => {
        const inside = at === undefined ? changed : at[0][at[1]];
        const keys = isContainer(inside) ? Object.keys(inside) : [];
        const key = keys[step % keys.length];
        return isContainer(inside) && key !== undefined ? [inside, key] : at;
      }, undefined);
      if (found === undefined) return changed;
      const [parent, key] = found;
      if (kind === "replace") parent[key] = change;
      else if (kind === "remove") delete parent[key];
      else parent[name] = change;
      return changed;
    });
