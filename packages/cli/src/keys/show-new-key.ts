import type { IssuedKey } from "@tollgate/core/store";
import { renderFields } from "../output/table.ts";
import type { Session } from "../session.ts";
import { keyFields, toKeyShape } from "./key-shape.ts";

/** Shows a new key, the only time that it is shown. `members` are added to the JSON, and `note` to the text. */
export function showNewKey(
  session: Session,
  { key, secret }: IssuedKey,
  members: object = {},
  note = "",
): Promise<void> {
  return session.show({ key: toKeyShape(key), secret, ...members }, () =>
    [
      "The new key. It is shown only now and not stored. Copy it; if you lose it, create another.",
      "",
      `  ${secret}`,
      "",
      renderFields(keyFields(key)) + note,
    ].join("\n"),
  );
}
