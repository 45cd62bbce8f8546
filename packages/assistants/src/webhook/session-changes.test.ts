import { describe, expect, it } from "vitest";
import { Redactor } from "../redaction/redactor.ts";
import { sessionChanges } from "./session-changes.ts";

const changesOf = (body: string) => sessionChanges(new Redactor({}), JSON.parse(body));

describe("sessionChanges", () => {
  it.each([["[]"], ["null"], ['"x"'], ["7"]])("returns no changes and a warning when client_data is %s", (value) => {
    const { changes, warnings } = changesOf(`{"session":{"client_data":${value}}}`);
    expect(changes).toEqual([]);
    expect(warnings).toEqual([expect.stringContaining("not an object")]);
  });

  it.each(['{"session":7}', '{"__proto__":{"session":{"client_data":{"a":1}}}}', "[]", "null", "{}"])(
    "are none, without a warning, of %s",
    (body) => {
      expect(changesOf(body)).toEqual({ changes: [], warnings: [] });
    },
  );

  it.each(["a$b", "{a", "a}", "a\\nb", "session.id", "images", "__proto__", "constructor", "prototype"])(
    "leave out the key %s with a warning, and keep the others",
    (key) => {
      const { changes, warnings } = changesOf(`{"session":{"client_data":{"${key}":1,"company":2}}}`);
      expect(changes).toEqual([["company", 2]]);
      expect(warnings).toEqual([expect.stringMatching(/has the key .*It was not merged\.$/)]);
    },
  );

  it("limits the number of warnings", () => {
    const clientData = Object.fromEntries(Array.from({ length: 5_000 }, (_, i) => [`images[${i}]`, i]));
    const { changes, warnings } = changesOf(JSON.stringify({ session: { client_data: clientData } }));
    expect(changes).toEqual([]);
    expect(warnings).toHaveLength(21);
    expect(warnings.at(-1)).toBe("4980 more keys were not merged.");
  });
});
