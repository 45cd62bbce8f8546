import * as v from "valibot";

/** The id of an object, which Stripe writes as the object itself where it is expanded. https://docs.stripe.com/expand */
export const objectId = v.union([
  v.string(),
  v.pipe(
    v.object({ id: v.string() }),
    v.transform(({ id }) => id),
  ),
]);

/** An amount in Stripe's units. */
export const wholeAmount = v.pipe(v.number(), v.safeInteger());

/** A time in whole seconds since 1970. */
export const timestamp = v.pipe(
  v.number(),
  v.transform((seconds) => new Date(seconds * 1_000)),
);
