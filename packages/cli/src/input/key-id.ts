import { Failure } from "../failure.ts";
import { looksLikeKey } from "../output/mask-secrets.ts";
import { type Reader, readText } from "./text.ts";

/** Reads the id of a key. Throws for a key itself, without quoting it. */
export const readKeyId: Reader<string> = (text) => {
  if (!looksLikeKey(text)) return readText("The id of a key")(text);
  throw new Failure(
    "usage",
    "That is a key and not the id of a key. Your shell may have stored it in its history. " +
      "Find its id by its last four characters in `tollgate keys list`.",
  );
};
