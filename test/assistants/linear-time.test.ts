import { describe, expect, it } from "vitest";
import { hideUrlCredentials } from "../../packages/assistants/src/redaction/credentials.ts";
import { splitJson } from "../../packages/assistants/src/webhook/template/body-template.ts";
import { renderText } from "../../packages/assistants/src/webhook/template/render-text.ts";
import { knownNames, Scope } from "../../packages/assistants/src/webhook/template/scope.ts";
import { growth, linear, slowPieces } from "../../packages/core/test-support/growth.ts";

// On a busy machine most measurements are repeated.
describe("text that others choose takes linear time", { timeout: 60_000 }, () => {
  it.each(["", "a:", "https://a?token="])("a URL of a webhook that begins with %j", (start) => {
    expect(slowPieces((text) => hideUrlCredentials(text, "*"), start)).toEqual([]);
  });

  it.each(['{"a":', '"a"', '\\"', '"\\', "$" + "{", "$a", "$a[", "$a[1"])(
    "a template of a body that repeats %j",
    (piece) => {
      for (const start of ["", '"']) expect(growth(splitJson, [start, piece, ""], 8), start).toBeLessThan(linear);
    },
  );

  it.each(["$" + "{", "$", "$a", "$a[0", "$a."])("a text of a template that repeats %j", (piece) => {
    const render = (text: string) => renderText(text, new Scope(noSources, knownNames([], [])), () => "");
    expect(growth(render, ["", piece, ""], 8)).toBeLessThan(linear);
  });
});

const system = { "session.id": "s", "company.id": "c", "assistant.id": "a" };
const noSources = { system, images: [], secrets: {}, declared: [], arguments: {}, clientData: {} };
