import { isJsonObject } from "@tollgate/core/extension";
import type { Json } from "@tollgate/core/provider";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { anyText, anyVariables } from "../../test-support/any-variables.ts";
import { runs } from "../../test-support/property-runs.ts";
import type { WebhookConfig } from "../definition/assistant-config.ts";
import type { Rendering } from "../definition/compiled-webhook.ts";
import { compileWebhook } from "./compile-webhook.ts";

const names = { properties: ["ab", "optional"], secrets: ["key"] };

function render(config: Partial<WebhookConfig>, data: Readonly<Record<string, Json>>): Rendering {
  const compiled = compileWebhook({ type: "WEBHOOK", method: "POST", url: "https://a.example/", ...config }, names);
  if ("problems" in compiled) throw new Error(compiled.problems.join("\n"));
  return compiled.webhook.render({
    system: { "session.id": "S", "company.id": "C", "assistant.id": "A" },
    images: ["https://i.example/0"],
    secrets: { key: "sk-12345" },
    declared: names.properties,
    arguments: {},
    clientData: data,
  });
}

function rendered(config: Partial<WebhookConfig>, data: Readonly<Record<string, Json>>) {
  const rendering = render(config, data);
  return rendering.outcome === "rendered" ? rendering.request : undefined;
}

describe("a value", () => {
  it("is inserted unchanged at every position", () => {
    fc.assert(
      fc.property(anyText, anyText, (a, b) => {
        const data = { a, b };
        const body = JSON.parse(rendered({ body: { one: "<$a|$b>", two: "$b" } }, data)?.body ?? "");
        expect(body).toEqual({ one: `<${a}|${b}>`, two: b });
        expect(JSON.parse(rendered({ body: "[$a,$b]" }, data)?.body ?? "")).toEqual([a, b]);
        const query = rendered({ url: "https://a.example/x?a=$a&b=$b" }, data)?.url.split("?")[1]?.split("&");
        expect(query?.map((pair) => decodeURIComponent(pair.slice(2)))).toEqual([wellFormed(a), wellFormed(b)]);
        const headers = rendered({ headers: [{ key: "x", value: "<$a|$b>" }] }, data)?.headers;
        expect(headers).toEqual(/\p{Control}/u.test(a + b) ? undefined : [["x", `<${a}|${b}>`]]);
      }),
      { numRuns: runs(1_000) },
    );
  });
});

describe("a rendered body", () => {
  const templates = [
    '{"urls": $images}',
    "[$a,[1]]",
    '{"a":$a,"k$a":"$ab/$a","list":[$list[0],$user.name, $b ]}',
    '{"s":"x $a $b\\" }","t":{"$a":[$a]},"n":1.0}',
    '[[$a],{"b":$b},"$list","$" ]',
    '{"__proto__":{"x":$a},"o":$optional}',
    "[$list[0],1,$a]",
  ];

  it("is JSON with the structure of the template for any client data", () => {
    fc.assert(
      fc.property(fc.constantFrom(...templates), anyVariables, (template, data) => {
        const rendering = render({ body: template }, data);
        if (rendering.outcome === "refused") {
          expect(["unresolved_variable", "invalid_body"]).toContain(rendering.error.code);
          return;
        }
        const blank = template.replace(
          /("(?:[^"\\]|\\.)*")|\$[a-z]+(?:\.name|\[0\])?/g,
          (_, quoted?: string) => quoted ?? '"$any"',
        );
        expectFits(JSON.parse(rendering.request.body ?? ""), JSON.parse(blank));
      }),
      { numRuns: runs(3_000) },
    );
  });

  it("has the structure of an object template for any client data", () => {
    const body = { a: "$a", k$a: ["$ab", "x$b", { list: "$list" }], user: "$user.name", n: 1 };
    fc.assert(
      fc.property(anyVariables, fc.constantFrom("array", "json", "string"), (data, valueType) => {
        const request = rendered({ body, valueType }, data);
        if (request !== undefined) expectFits(JSON.parse(request.body ?? ""), body);
      }),
      { numRuns: runs(1_000) },
    );
  });
});

describe("a rendered URL", () => {
  const templates = [
    "https://a.example:8443/u/$a/$b.json?q=$a&r=$list[0]#$a",
    "https://a.example/$user.name/x/$a$b",
    "http://a.example?$a=$b/$a",
    "https://a.example/p=$a&$b/end/",
    "https://a.example/.$a/%2$b/$" + "{a}$optional",
    "https://a.example/%$a%$b/x",
    "https://a.example/$a/b?x#$b",
  ];

  it("has the scheme, host, port and path segments of the template for any client data", () => {
    fc.assert(
      fc.property(fc.constantFrom(...templates), anyVariables, (template, data) => {
        const request = rendered({ url: template }, data);
        if (request === undefined) return;
        const [from, to] = [new URL(template), new URL(request.url)];
        expect([to.protocol, to.host, to.username, to.password, to.hash]).toEqual([
          from.protocol,
          from.host,
          "",
          "",
          "",
        ]);
        expect(to.pathname.split("/")).toHaveLength(segments(template));
      }),
      { numRuns: runs(3_000) },
    );
  });
});

describe("rendered headers", () => {
  it("have the number and names of those in the template, and one line each", () => {
    const headers = [
      { key: "Authorization", value: "Bearer $key $a" },
      { key: "X-$a", value: "$list $b" },
    ];
    fc.assert(
      fc.property(anyVariables, (data) => {
        const request = rendered({ headers }, data);
        if (request === undefined) return;
        expect(request.headers.map(([name]) => name)).toEqual(["Authorization", "X-$a"]);
        for (const [, value] of request.headers) expect(value).not.toMatch(/\p{Control}/u);
      }),
      { numRuns: runs(1_000) },
    );
  });
});

/** True when both have the same members and items, except inside strings with a `$`. */
function expectFits(value: unknown, template: unknown): void {
  if (typeof template === "string" && template.includes("$")) return;
  if (Array.isArray(template)) {
    if (!Array.isArray(value)) throw new Error("An array became another value.");
    expect(value).toHaveLength(template.length);
    for (const [place, item] of template.entries()) expectFits(value[place], item);
  } else if (isJsonObject(template)) {
    if (!isJsonObject(value)) throw new Error("An object became another value.");
    expect(Object.keys(value)).toEqual(Object.keys(template));
    for (const [name, member] of Object.entries(template))
      expectFits(Object.entries(value).find(([other]) => other === name)?.[1], member);
  } else {
    expect(value).toEqual(template);
  }
}

function segments(template: string): number {
  const path = template.replace(/^https?:\/\/[^/?#]*/, "").replace(/[?#].*$/, "");
  return path === "" ? 2 : path.split("/").length;
}

function wellFormed(value: string): string {
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(new TextEncoder().encode(value));
}
