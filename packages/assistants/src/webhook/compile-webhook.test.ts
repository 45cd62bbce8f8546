import type { Json } from "@tollgate/core/provider";
import { describe, expect, it } from "vitest";
import type { WebhookConfig } from "../definition/assistant-config.ts";
import type { Rendering, VariableSources } from "../definition/compiled-webhook.ts";
import { failureMessage } from "../definition/failure-messages.ts";
import { compileWebhook } from "./compile-webhook.ts";

const sources: VariableSources = {
  system: { "session.id": "S-1", "company.id": "C-1", "assistant.id": "A-1" },
  images: ["https://i.example/0", "https://i.example/1"],
  secrets: { api_key: "sk-12345" },
  declared: ["city", "note"],
  arguments: { city: 'São "P"/1' },
  clientData: { name: "Ann & Bo" },
};

function render(config: Partial<WebhookConfig>, given: Partial<VariableSources> = {}): Rendering {
  const all = { ...sources, ...given };
  const names = { properties: all.declared, secrets: Object.keys(all.secrets) };
  const compiled = compileWebhook({ type: "WEBHOOK", method: "POST", url: "https://a.example/", ...config }, names);
  if ("problems" in compiled) throw new Error(compiled.problems.join("\n"));
  return compiled.webhook.render(all);
}

describe("a webhook", () => {
  it("encodes each value for its position", () => {
    const rendering = render({
      method: "PUT",
      url: "https://a.example/$city?c=$city",
      headers: [{ key: "X-City", value: "$city" }],
      body: '{"text":"$city","value":$city}',
      responseDirective: "Tell $city.",
    });
    expect(rendering).toMatchObject({
      outcome: "rendered",
      request: {
        method: "PUT",
        url: "https://a.example/S%C3%A3o%20%22P%22%2F1?c=S%C3%A3o%20%22P%22%2F1",
        headers: [["X-City", 'São "P"/1']],
        body: '{"text":"São \\"P\\"/1","value":"São \\"P\\"/1"}',
      },
    });
  });

  it("lists each variable once, in the order of first use, with its source", () => {
    const { variables } = render({
      url: "https://a.example/$session.id?n=$name",
      headers: [{ key: "Authorization", value: "Bearer $api_key" }],
      body: {
        name: "$name",
        note: "$note",
        city: "$city",
        image: "$images[1]",
        first: "$" + "{images[0]}",
        all: "$images",
      },
    });
    expect(variables).toEqual([
      { name: "session.id", source: "system", value: "S-1" },
      { name: "name", source: "client_data", value: "Ann & Bo" },
      { name: "api_key", source: "secret", value: "sk-12345" },
      { name: "note", source: "argument", value: null },
      { name: "city", source: "argument", value: 'São "P"/1' },
      { name: "images[1]", source: "system", value: "https://i.example/1" },
      { name: "images[0]", source: "system", value: "https://i.example/0" },
      { name: "images", source: "system", value: sources.images },
    ]);
  });

  it("can be rendered repeatedly with other values", () => {
    const names = { properties: ["city"], secrets: [] };
    const compiled = compileWebhook({ type: "WEBHOOK", method: "GET", url: "https://a.example/$city_x" }, names);
    if ("problems" in compiled) throw new Error(compiled.problems.join("\n"));
    const url = (given: Partial<VariableSources>) => {
      const rendering = compiled.webhook.render({ ...sources, ...given });
      return rendering.outcome === "rendered" ? rendering.request.url : rendering.error.code;
    };
    expect(url({ arguments: { city: "Rome" } })).toBe("https://a.example/Rome_x");
    expect(url({ arguments: { city: "Rome" }, clientData: { city_x: "longer" } })).toBe("https://a.example/longer");
    expect(url({ arguments: {}, clientData: { city: "data" } })).toBe("https://a.example/data_x");
    expect(url({ arguments: {} })).toBe("unsafe_path_value");
  });
});

describe("a refused webhook", () => {
  it("reports all unresolved variables of all parts before any other error", () => {
    const rendering = render({
      url: "https://a.example/$note/$lost",
      headers: [{ key: "a", value: "$gone" }],
      body: '{"a":"$missing_1 $name","b":$images[9]}',
    });
    expect(rendering).toMatchObject({
      outcome: "refused",
      error: { code: "unresolved_variable", certainty: "not_sent" },
    });
    if (rendering.outcome !== "refused") throw new Error("It was rendered.");
    for (const name of ["lost", "gone", "missing_1"]) expect(rendering.error.message).toContain(`"${name}"`);
    expect(rendering.error.message).not.toContain('"note"');
    expect(rendering.variables.map(({ name }) => name)).toEqual(["note", "name", "images[9]"]);
  });

  it.each<[code: string, config: Partial<WebhookConfig>]>([
    ["unsafe_path_value", { url: "https://a.example/$up/x" }],
    ["invalid_header_value", { headers: [{ key: "X-Lines", value: "$lines" }] }],
    ["invalid_body", { body: "[$lines-x]" }],
    ["invalid_body", { body: { a: "$huge" } }],
    ["invalid_arguments", { url: "https://a.example/?q=$huge" }],
    ["invalid_arguments", { body: { a: "$deep" } }],
  ])("reports %s without URL, header or value", (code, config) => {
    const clientData = { up: "..", lines: "zwei\r\ndrei", huge: "h".repeat(300_000), deep: nested(200_000) };
    const rendering = render(config, { clientData });
    expect(rendering).toMatchObject({ outcome: "refused", error: { code, certainty: "not_sent" } });
    if (rendering.outcome !== "refused") throw new Error("It was rendered.");
    expect(rendering.error.message).toMatch(/Nothing was sent\. [A-Z]/);
    for (const hidden of ["example", "X-Lines", "zwei", "hhh"]) expect(rendering.error.message).not.toContain(hidden);
    for (const hidden of ["example", "zwei", "hhh"]) expect(rendering.error.detail).not.toContain(hidden);
    expect(rendering.variables).toHaveLength(1);
  });

  it("has the message of every blocked target for a host that is not allowed", () => {
    const rendering = render(
      { url: "https://$up/x", hostVariables: ["b.example"] },
      { clientData: { up: "c.example" } },
    );
    const message = failureMessage("blocked_target", "not_sent");
    expect(rendering).toMatchObject({
      outcome: "refused",
      error: { code: "blocked_target", certainty: "not_sent", message },
    });
  });
});

describe("invalid templates", () => {
  it("are all reported at once, each with its position", () => {
    const config: WebhookConfig = {
      type: "WEBHOOK",
      method: "POST",
      url: "https://$host/",
      headers: [{ key: "Host", value: "a\nb" }],
      body: "{",
    };
    expect(compileWebhook(config, { properties: [], secrets: [] })).toEqual({
      problems: [
        expect.stringMatching(/^url, character 9: /),
        expect.stringMatching(/^headers\[0\]\.key: /),
        expect.stringMatching(/^headers\[0\]\.value, character 2: /),
        expect.stringMatching(/^body: /),
      ],
    });
  });
});

function nested(levels: number): Json {
  let value: Json = 1;
  for (let level = 0; level < levels; level++) value = [value];
  return value;
}
