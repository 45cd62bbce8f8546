import type { IssuedKey } from "@tollgate/core/store";
import { renderFields } from "../output/table.ts";
import type { Session } from "../session.ts";
import { keyFields, toKeyShape } from "./key-shape.ts";

/** Shows a key just made, the only time that it is shown; `more` is added to the JSON, `note` to the text. */
export function showNewKey(session: Session, { key, secret }: IssuedKey, more: object = {}, note = ""): Promise<void> {
  return session.show({ key: toKeyShape(key), secret, ...more }, () =>
    [
      "The new key. It is shown only now and kept nowhere: hand it over, or make another.",
      "",
      `  ${secret}`,
      "",
      renderFields(keyFields(key)) + note,
    ].join("\n"),
  );
}
