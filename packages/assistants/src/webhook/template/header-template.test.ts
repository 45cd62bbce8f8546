import { describe, expect, it } from "vitest";
import type { VariableSources } from "../../definition/compiled-webhook.ts";
import { compileHeaders } from "./header-template.ts";
import { knownNames, Scope } from "./scope.ts";

const sources: VariableSources = {
  system: { "session.id": "S", "company.id": "C", "assistant.id": "A" },
  images: ["https://i.example/1"],
  secrets: { key: "sk-1" },
  declared: ["optional"],
  arguments: {},
  clientData: {
    text: 'a "b" %20 日本',
    user: { a: 1 },
    line: "x\r\ny",
    nul: "\0",
    bell: "\u0007",
    del: "\u007f",
    next: "\u0085",
  },
};

function render(value: string) {
  const compiled = compileHeaders([{ key: "X-Value", value }]);
  if ("problems" in compiled) throw new Error(compiled.problems.join("\n"));
  const scope = new Scope(sources, knownNames(sources.declared, ["key"]));
  return compiled.template(scope);
}

describe("a header template", () => {
  it.each([
    ["Bearer $key", "Bearer sk-1"],
    ["$text", 'a "b" %20 日本'],
    ["$user", '{"a":1}'],
    ["<$optional>", "<>"],
    ["$images", '["https://i.example/1"]'],
  ])("%s inserts values unchanged", (template, value) => {
    expect(render(template)).toEqual({ value: [["X-Value", value]] });
  });

  it.each(["line", "nul", "bell", "del", "next"])(
    "refuses the control character of %s, naming the header in the detail alone",
    (name) => {
      const rendered = render(`a $${name}`);
      if (!("error" in rendered)) throw new Error("It was not refused.");
      expect(rendered.error).toMatchObject({ code: "invalid_header_value", certainty: "not_sent" });
      expect(rendered.error.detail).toContain("X-Value");
      expect(rendered.error.message).not.toContain("X-Value");
    },
  );

  it("preserves order, names and repeated names", () => {
    const headers = [
      { key: "b", value: "1" },
      { key: "A$key", value: "2" },
      { key: "b", value: "3" },
    ];
    const compiled = compileHeaders(headers);
    if ("problems" in compiled) throw new Error(compiled.problems.join("\n"));
    const scope = new Scope(sources, knownNames([], []));
    expect(compiled.template(scope)).toEqual({
      value: [
        ["b", "1"],
        ["A$key", "2"],
        ["b", "3"],
      ],
    });
  });

  it.each([
    "Host",
    "content-length",
    "Transfer-Encoding",
    "connection",
    "Keep-Alive",
    "TE",
    "trailer",
    "upgrade",
    "expect",
    "Proxy-Authorization",
    "proxy-anything",
    "Metadata",
    "Metadata-Flavor",
    "X-Google-Metadata-Request",
    "X-aws-ec2-metadata-token",
    "X-aws-ec2-metadata-token-ttl-seconds",
    "X-aliyun-ecs-metadata-token",
    "",
    "a b",
    "a:",
    "a\n",
    "größe",
  ])("rejects the name %j", (key) => {
    expect(
      compileHeaders([
        { key: "Accept", value: "*/*" },
        { key, value: "x" },
      ]),
    ).toEqual({
      problems: [expect.stringMatching(/^headers\[1\]\.key: /)],
    });
  });

  it.each(["X-Host", "Hostname", "Team", "X-Te", "Proxy", "X-Metadata", "Metadata-Version", "X-Aws-Ec2-Metadata"])(
    "accepts the name %s, which only resembles a reserved one",
    (key) => expect(compileHeaders([{ key, value: "x" }])).toHaveProperty("template"),
  );

  it("rejects a control character in the template, with its position", () => {
    expect(compileHeaders([{ key: "a", value: "ab\nc" }])).toEqual({
      problems: [expect.stringMatching(/^headers\[0\]\.value, character 3: /)],
    });
  });
});
