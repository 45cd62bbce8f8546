import * as v from "valibot";

/** A position that is a text, such as the id of the last item. */
export const textPosition = v.string();

/** A position that is a whole number. */
export const numberPosition = v.pipe(v.number(), v.safeInteger(), v.minValue(0));

/** A position that is a bigint, written as text. */
export const sequencePosition = v.pipe(
  v.string(),
  v.regex(/^\d{1,19}$/),
  v.transform((digits) => BigInt(digits)),
);

/** A position that is a time and an id. */
export const timePosition = v.pipe(
  v.tuple([v.pipe(v.number(), v.safeInteger(), v.minValue(0), v.maxValue(8.64e15)), v.string()]),
  v.transform(([at, id]) => ({ at: new Date(at), id })),
);

/** A position that is two texts. */
export const pairPosition = v.tuple([v.string(), v.string()]);
