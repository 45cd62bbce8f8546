import type { Json } from "@tollgate/core/provider";
import { describe, expect, it } from "vitest";
import type { WebhookConfig } from "../../definition/assistant-config.ts";
import { compileWebhook } from "../compile-webhook.ts";

const declared = ["optional"];

function compile(url: string, hostVariables?: readonly string[]) {
  const config: WebhookConfig = { type: "WEBHOOK", method: "GET", url, ...(hostVariables && { hostVariables }) };
  return compileWebhook(config, { properties: declared, secrets: [] });
}

function render(url: string, clientData: Record<string, Json>, hostVariables?: readonly string[]): string {
  const compiled = compile(url, hostVariables);
  if ("problems" in compiled) throw new Error(compiled.problems.join("\n"));
  const system = { "session.id": "S", "company.id": "C", "assistant.id": "A" };
  const images = ["https://i.example/1"];
  const rendering = compiled.webhook.render({ system, images, secrets: {}, declared, arguments: {}, clientData });
  return rendering.outcome === "rendered" ? rendering.request.url : rendering.error.code;
}

describe("a URL template", () => {
  it("writes a value once, however often it is used", () => {
    const readsOf = (url: string): number => {
      let reads = 0;
      const v = {
        get a() {
          reads += 1;
          return 1;
        },
      };
      expect(render(url, { v })).toMatch(/^https:\/\/a\.example\/%7B%22a%22%3A1%7D/);
      return reads;
    };
    expect(readsOf("https://a.example/$v/$v?q=$v$v")).toBe(readsOf("https://a.example/$v"));
  });

  it.each<[what: string, url: string, clientData: Record<string, Json>, rendered: string]>([
    [
      "encodes a path value",
      "https://a.example/u/$v",
      { v: "a b/ü?#&=%$" },
      "https://a.example/u/a%20b%2F%C3%BC%3F%23%26%3D%25%24",
    ],
    [
      "encodes a query value",
      "https://a.example?q=$v&r=1",
      { v: "a b&c=d+e#" },
      "https://a.example?q=a%20b%26c%3Dd%2Be%23&r=1",
    ],
    ["encodes what looks encoded once more", "https://a.example/$v", { v: "a%20b" }, "https://a.example/a%2520b"],
    ["writes a list as JSON", "https://a.example/?q=$v", { v: ["a", 1] }, "https://a.example/?q=%5B%22a%22%2C1%5D"],
    ["encodes a lone surrogate as U+FFFD", "https://a.example/$v", { v: "x\ud800" }, "https://a.example/x%EF%BF%BD"],
    ["keeps a pair of surrogates", "https://a.example/$v", { v: "🦊" }, "https://a.example/%F0%9F%A6%8A"],
    ["drops the fragment with its variables", "https://a.example/x?q=1#$nobody", {}, "https://a.example/x?q=1"],
    ["leaves an optional query value empty", "https://a.example/?q=$optional&r=2", {}, "https://a.example/?q=&r=2"],
    ["leaves an image that is not there empty", "https://a.example/?q=$images[5]", {}, "https://a.example/?q="],
    [
      "keeps empty and dot segments that are written",
      "https://a.example//./x/../$v/",
      { v: 1 },
      "https://a.example//./x/../1/",
    ],
    [
      "ends names at / ? & and =",
      "https://a.example/$a/b?$a=$a&b",
      { a: 1, "a/b": 2, "a=": 3, "a&b": 4 },
      "https://a.example/1/b?1=1&b",
    ],
    [
      "ends names at & and = in a path",
      "https://a.example/x=$a&b;y=$b=c",
      { a: 1, b: 2, "a&b": 3, "b=c": 4 },
      "https://a.example/x=1&b;y=2=c",
    ],
    [
      "reads names with spaces and delimiters in braces",
      "https://a.example/$" + "{first name}/$" + "{a/b}?n=$" + "{first name}&m=$" + "{x&y=z#?}#$" + "{none",
      { "first name": "Ann B", "a/b": 1, "x&y=z#?": 2 },
      "https://a.example/Ann%20B/1?n=Ann%20B&m=2",
    ],
    ["reads braces", "https://a.example/$" + "{name}?q=$" + "{name}", { name: "x" }, "https://a.example/x?q=x"],
    ["encodes a text that is a lone surrogate", "https://a.example/$v", { v: "\ud800" }, "https://a.example/%EF%BF%BD"],
    ["puts several values into a segment", "https://a.example/$a.$b", { a: "x", b: "y" }, "https://a.example/x.y"],
    ["keeps a port and a host in its case", "HTTP://A.example:8080/$v", { v: 1 }, "HTTP://A.example:8080/1"],
    ["leaves a dollar that is no variable", "https://a.example/$$v/$5", {}, "https://a.example/$v/$5"],
  ])("%s", (_, url, clientData, rendered) => {
    expect(render(url, clientData)).toBe(rendered);
  });

  it.each<[what: string, url: string, clientData: Record<string, Json>]>([
    ["is empty", "https://a.example/u/$v/orders", { v: "" }],
    ["is null", "https://a.example/u/$v", { v: null }],
    ["is null though other text stands beside it", "https://a.example/user-$v", { v: null }],
    ["is a dot", "https://a.example/u/$v", { v: "." }],
    ["is two dots", "https://a.example/u/$v?x", { v: ".." }],
    ["becomes two dots with another", "https://a.example/$v$v/x", { v: "." }],
    ["becomes two dots with the template", "https://a.example/.$v/x", { v: "." }],
    ["becomes encoded dots with the template", "https://a.example/%2$e.", { e: "e" }],
    ["becomes encoded dots of the other case", "https://a.example/%$e%2e", { e: "2E" }],
    ["is missing though other text stands beside it", "https://a.example/user-$optional", {}],
    ["is an image that is not there", "https://a.example/u/$images[5]", {}],
  ])("rejects a path in which a value %s", (_, url, clientData) => {
    expect(render(url, clientData)).toBe("unsafe_path_value");
  });

  it("encodes dots that are percent-encoded already, so that they are not dots", () => {
    expect(render("https://a.example/$v", { v: "%2e%2e" })).toBe("https://a.example/%252e%252e");
  });

  it("has at most 8,192 characters after rendering", () => {
    const url = "https://a.example/?q=$v";
    const room = 8_192 - url.length + "$v".length;
    expect(render(url, { v: "x".repeat(room) })).toHaveLength(8_192);
    expect(render(url, { v: "x".repeat(room + 1) })).toBe("invalid_arguments");
  });

  it.each<[what: string, url: string, place: string]>([
    ["a variable as its scheme", "$scheme://a.example/", "url, character 1: "],
    ["a variable as all of it", "$callback", "url, character 1: "],
    ["another scheme", "ftp://a.example/", "url, character 1: "],
    ["one slash", "https:/a.example/", "url, character 1: "],
    ["a variable as its host", "https://$host/x", "url, character 9: "],
    ["a variable in its host", "https://a.$host/x", "url, character 11: "],
    ["a variable as its port", "https://a.example:$port/x", "url, character 19: "],
    ["a variable in braces as its host", "https://$" + "{host}", "url, character 9: "],
    ["userinfo", "https://ann:secret@a.example/", "url, character 9: "],
    ["a variable as userinfo", "https://$user@a.example/", "url, character 9: "],
    ["no host", "https:///x", "url, character 9: "],
    ["a host that is none", "https://a.example:99999/", "url, character 9: "],
    ["a space", "https://a.example/a b", "url, character 20: "],
    ["a backslash", "https://a.example\\@b.example/", "url, character 18: "],
    ["a line break", "https://a.exa\nmple/", "url, character 14: "],
    ["a tab", "https://a.example/.\t./", "url, character 20: "],
    ["braces that are not closed", "https://a.example/$" + "{a/b?q=$" + "{c}", "url, character 19: "],
    ["a control character in braces", "https://a.example/$" + "{a\tb}", "url, character 22: "],
  ])("does not compile with %s", (_, url, place) => {
    expect(compile(url)).toEqual({ problems: [expect.stringContaining(place)] });
  });
});

describe("a host with variables", () => {
  const allowed = ["eu.api.example", "billing.internal:8443", "[2001:DB8::1]:443"];

  it.each<[url: string, clientData: Record<string, Json>, rendered: string]>([
    ["https://$region.api.example/x", { region: "eu" }, "https://eu.api.example/x"],
    ["https://$region.api.example/x", { region: "EU" }, "https://eu.api.example/x"],
    ["https://$host:$port", { host: "billing.internal", port: 8443 }, "https://billing.internal:8443"],
    ["https://$host/x", { host: "[2001:db8::1]" }, "https://[2001:db8::1]/x"],
    ["https://$region.api.example:443/", { region: "eu" }, "https://eu.api.example/"],
  ])("%s is allowed", (url, clientData, rendered) => {
    expect(render(url, clientData, allowed)).toBe(rendered);
  });

  it.each<[url: string, value: Json]>([
    ["https://$v.api.example/", "us"],
    ["https://$v.api.example/", "evil.example/x?"],
    ["https://$v.api.example/", "evil.example#"],
    ["https://$v.api.example/", "evil.example\\"],
    ["https://$v.api.example/", "e\tu"],
    ["https://$v", "ann@eu.api.example"],
    ["https://$v", "eu.api.example:80"],
    ["https://$v", "eu.api.example."],
    ["https://$v", "billing.internal"],
    ["https://$v", ""],
    ["https://$v", ["eu.api.example"]],
    ["https://$optional", "unused"],
  ])("%s with %j is rejected", (url, v) => {
    expect(render(url, { v }, allowed)).toBe("blocked_target");
  });

  it("compiles only with a list of valid hosts, and never with userinfo", () => {
    expect(compile("https://$v/", ["a.example/x", "", "ann@b.example"])).toHaveProperty("problems");
    expect(compile("https://$v@a.example/", ["a.example"])).toHaveProperty("problems");
    expect(compile("$v://a.example/", ["a.example"])).toHaveProperty("problems");
  });
});
