import fc from "fast-check";
import type { ClientData, ClientDataChanges } from "../src/ports/client-data.ts";
import type { Json } from "../src/wire/json.ts";

// Few names, so that changes often have the same key; some of them are inherited members of objects.
const name = fc.constantFrom("a", "b", "__proto__", "constructor", "toString", "\ud800", "\u0000", "$&", "0", "");
const text = fc.oneof(fc.string({ unit: "binary" }), fc.constantFrom("\ud800", "$&", "__proto__", "\u0000", "\u001b"));
/** Keys of client data, of which many are invalid. */
export const anyKey = fc.oneof(text, name);

const value: fc.Arbitrary<Json> = fc.letrec<{ json: Json }>((tie) => ({
  json: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    fc.oneof(text, fc.integer(), fc.boolean(), fc.constant(null)),
    fc.array(tie("json"), { maxLength: 3 }),
    fc.dictionary(anyKey, tie("json"), { maxKeys: 3, noNullPrototype: true }),
  ),
})).json;
/** Changes of client data, of which several may have the same key. */
export const anyChanges: fc.Arbitrary<ClientDataChanges> = fc.array(fc.tuple(name, value), { maxLength: 12 });
/** Client data. */
export const anyClientData = anyChanges.map((entries): ClientData => Object.fromEntries(entries));
