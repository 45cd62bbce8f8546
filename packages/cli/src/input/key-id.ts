import { Failure } from "../failure.ts";
import { looksLikeKey } from "../output/mask-secrets.ts";
import { type Reader, readText } from "./text.ts";

/** Reads the id of a key, and refuses a key itself without repeating it. */
export const readKeyId: Reader<string> = (text) => {
  if (!looksLikeKey(text)) return readText("The id of a key")(text);
  throw new Failure(
    "usage",
    "That is a key, not the id of one: your shell may have kept it in its history. " +
      "Find its id by its last four characters in `tollgate keys list`.",
  );
};
