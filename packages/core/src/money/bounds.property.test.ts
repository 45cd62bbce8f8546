import fc from "fast-check";
import { expect, it } from "vitest";
import { promptOf } from "../wire/prompt.ts";
import { promptBound } from "./cost.ts";

const encoder = new TextEncoder();
const sizes = { contextWindow: undefined, imageTokens: 0, unknownPartTokens: 200_000 };

it("bounds a prompt by at least half the bytes of every text, tool and schema in any script", () => {
  const text = fc.string({ unit: "binary", maxLength: 200 });
  fc.assert(
    fc.property(fc.array(text, { minLength: 1 }), text, (texts, description) => {
      const messages = texts.map((content) => ({ role: "user", content }) as const);
      const tools = [{ type: "function", function: { name: "f", description, parameters: {} } }];
      const bytes = encoder.encode(JSON.stringify({ model: "m", messages, tools })).byteLength;
      const all = encoder.encode([...texts, description].join("")).byteLength;
      expect(promptBound(promptOf(messages), bytes, sizes)).toBeGreaterThanOrEqual(
        Math.ceil(all / 2) + 8 * texts.length + 32,
      );
    }),
  );
});
