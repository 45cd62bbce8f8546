import * as v from "valibot";
import { isJsonObject, type JsonObject } from "./json.ts";

/**
 * valibot's `looseObject` for entries that change nothing: an object that they all accept is the output itself, where
 * valibot would make a copy, and ask for each entry rather than for each member that is there. That takes a third of the
 * time. What is not accepted is left to `looseObject`, which says why.
 */
export function openObject<const Entries extends v.ObjectEntries>(entries: Entries, message: string) {
  const schema = v.looseObject(entries, message);
  const accepted = v.custom<v.InferOutput<typeof schema>>(() => true);
  const known = new Map(Object.entries(entries));
  const required = [...known.values()].filter(({ type }) => type !== "nullish");
  return v.lazy((input) => {
    if (isJsonObject(input) && accepts(known, required.length, input)) return accepted;
    copied += 1;
    return schema;
  });
}

/** How many objects were left to valibot so far: one that holds such an object is not its own output either. */
let copied = 0;

function accepts(known: ReadonlyMap<string, v.ObjectEntries[string]>, required: number, input: JsonObject): boolean {
  const copiedBefore = copied;
  let missing = required;
  for (const name in input) {
    const entry = known.get(name);
    if (entry === undefined) {
      if (name in emptyObject) return false;
      continue;
    }
    if (!v.is(entry, input[name])) return false;
    if (entry.type !== "nullish") missing -= 1;
  }
  return missing === 0 && copied === copiedBefore;
}

/** Its members' names are none for data: valibot leaves some of them out. */
const emptyObject = {};
