import type { Json } from "@tollgate/core/provider";
import { describe, expect, it } from "vitest";
import type { WebhookConfig } from "../../definition/assistant-config.ts";
import type { VariableSources } from "../../definition/compiled-webhook.ts";
import { compileBody } from "./body-template.ts";
import { knownNames, Scope } from "./scope.ts";

const clientData: Record<string, Json> = {
  name: 'Ann "A" \\ \n',
  five: 5,
  digits: "5",
  yes: true,
  nil: null,
  list: [1, "a"],
  user: { name: "Ann", tags: ["x"] },
  lone: "\ud800",
  ten: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, { a: 1 }],
  inject: 'x","admin":true,"y":"',
};

const sources: VariableSources = {
  system: { "session.id": "S", "company.id": "C", "assistant.id": "A" },
  images: ["u0", "u1"],
  secrets: {},
  declared: ["optional"],
  arguments: {},
  clientData,
};

type Part = Pick<WebhookConfig, "body" | "valueType" | "method">;

function compile(part: Partial<Part>) {
  return compileBody({ type: "WEBHOOK", url: "https://a.example/", method: "POST", ...part });
}

function render(part: Partial<Part>, given: Partial<VariableSources> = {}): string | undefined {
  const compiled = compile(part);
  if ("problems" in compiled) throw new Error(compiled.problems.join("\n"));
  const all = { ...sources, ...given };
  const rendered = compiled.template(new Scope(all, knownNames(all.declared, [])));
  return "error" in rendered ? rendered.error.code : rendered.value;
}

describe("a body of text", () => {
  it.each<[what: string, body: string, rendered: string]>([
    ["escapes in a string", '{"a": "Hi $name!"}', '{"a": "Hi Ann \\"A\\" \\\\ \\n!"}'],
    ["escapes what would add members", '{"a":"$inject"}', '{"a":"x\\",\\"admin\\":true,\\"y\\":\\""}'],
    ["escapes a lone surrogate", '{"a":"$lone"}', '{"a":"\\ud800"}'],
    [
      "writes values with their types",
      "[$five, $digits, $yes, $nil, $list, $user]",
      '[5, "5", true, null, [1,"a"], {"name":"Ann","tags":["x"]}]',
    ],
    ["writes a string with its quotes", '{"a":$name}', '{"a":"Ann \\"A\\" \\\\ \\n"}'],
    ["writes images", '{"urls": $images, "first":$images[0]}', '{"urls": ["u0","u1"], "first":"u0"}'],
    [
      "writes an image that is not there as null, and as nothing in a string",
      '[$images[5],"$images[5]x"]',
      '[null,"x"]',
    ],
    ["writes an array in quotes as text", '{"a":"$list"}', '{"a":"[1,\\"a\\"]"}'],
    ["follows paths without quotes", "[$user.tags[0],$list[1]]", '["x","a"]'],
    ["reads braces without quotes", "[$" + "{five},$" + "{user.name}]", '[5,"Ann"]'],
    ["writes an optional value as null, and as nothing in a string", '[$optional, "a$optional"]', '[null, "a"]'],
    ["never touches a key", '{"$name": {"$nobody" : "$digits"}}', '{"$name": {"$nobody" : "5"}}'],
    [
      "keeps numbers, blanks, order and escapes as written",
      ' {"b":9007199254740993, "a":1.0e2,"a":"\\u00e9\\/","c":$five}\n',
      ' {"b":9007199254740993, "a":1.0e2,"a":"\\u00e9\\/","c":5}\n',
    ],
    ["reads escapes around a variable", '["\\u0022$digits\\n"]', '["\\"5\\n"]'],
    ["follows an index of several digits", "[$ten[10],$ten[10].a]", '[{"a":1},1]'],
    ["reads a dollar between quotes", '["$","$$","a$"]', '["$","$","a$"]'],
    ["may be one variable", "$user", '{"name":"Ann","tags":["x"]}'],
  ])("%s", (_, body, rendered) => {
    expect(render({ body })).toBe(rendered);
    expect(() => JSON.parse(rendered)).not.toThrow();
  });

  it.each([
    ["text behind a name", "[$five_x]"],
    ["digits behind a number", "[$five.5]"],
    ["a path that leads nowhere", "[$user.age]"],
    ["an index that is not there", "[$list[7]]"],
    ["a path of an optional variable", "[$optional.name]"],
  ])("is an error for %s beside a variable without quotes", (_, body) => {
    expect(render({ body })).toBe("invalid_body");
  });

  it.each<[key: string, body: string, rendered: string]>([
    ["images}", '{"urls": $images}', '{"urls": ["u0","u1"]}'],
    ["x,[1]", "[$x,[1]]", '["ok",[1]]'],
    ['x":1', '["$x",{"x":1}]', '["ok",{"x":1}]'],
    ["x ", "[ $x ]", '[ "ok" ]'],
    ["x]", "[$x]", '["ok"]'],
    ["y[0]", "[$y[0]]", '["first"]'],
    ["x\n", "$x\n", '"ok"\n'],
  ])("has the same structure when client data has the key %j", (key, body, rendered) => {
    expect(render({ body }, { clientData: { x: "ok", y: ["first"], [key]: "hostile" } })).toBe(rendered);
  });

  it.each([
    "{",
    "{'a': 1}",
    '{"a": $}',
    '{"a": $5}',
    '{"a": $$five}',
    '{"a": x$five}',
    '{"a": -$five}',
    '{"a": $five$five}',
    '{"a": "x" $five}',
    "{$five: 1}",
    '{"a": $five',
    '{"a": "$five}',
    '{"a": "\\$five"}',
    "[$" + "{}]",
  ])("does not compile when it is %s", (body) => {
    expect(compile({ body })).toEqual({ problems: [expect.stringMatching(/^body[:,]/)] });
  });

  it("reports the position of a `$` without a name", () => {
    expect(compile({ body: '{"a": "$x", "b": $5}' })).toEqual({
      problems: [expect.stringContaining("body, character 18: ")],
    });
  });
});

describe("a body that is an object", () => {
  const whole = {
    list: "$list",
    braces: "$" + "{list}",
    images: "$images",
    five: "$five",
    nil: "$nil",
    part: "$list.",
    optional: "$optional",
  };

  it("converts a string that is an array variable to an array, and no other", () => {
    const expected = {
      list: [1, "a"],
      braces: [1, "a"],
      images: ["u0", "u1"],
      five: "5",
      nil: "",
      part: '[1,"a"].',
      optional: "",
    };
    expect(JSON.parse(render({ body: whole }) ?? "")).toEqual(expected);
  });

  it("converts strings to values of all types with `json`", () => {
    const expected = {
      list: [1, "a"],
      braces: [1, "a"],
      images: ["u0", "u1"],
      five: 5,
      nil: null,
      part: '[1,"a"].',
      optional: null,
    };
    expect(JSON.parse(render({ body: whole, valueType: "json" }) ?? "")).toEqual(expected);
  });

  it("converts no string with `string`", () => {
    const expected = { list: '[1,"a"]', images: '["u0","u1"]', five: "5", nil: "", optional: "" };
    expect(JSON.parse(render({ body: whole, valueType: "string" }) ?? "")).toMatchObject(expected);
  });

  it("converts no string that is a dollar, or that names a variable without one", () => {
    const given = { declared: ["b$"], arguments: { b$: "argument" } };
    const body = { one: "$", two: "$$", name: "xb$" };
    expect(render({ body, valueType: "json" }, given)).toBe('{"one":"$","two":"$","name":"xb$"}');
  });

  it("inserts values into nested strings, and never into keys", () => {
    const body = JSON.parse('{"__proto__":{"$name":["$digits"]},"n":1.5,"t":[true,null,"$$five"]}');
    expect(render({ body })).toBe('{"__proto__":{"$name":["5"]},"n":1.5,"t":[true,null,"$five"]}');
  });

  it("does not compile when it is not JSON", () => {
    const loop: Record<string, Json> = {};
    loop["self"] = loop;
    expect(compile({ body: loop })).toHaveProperty("problems");
  });
});

describe("any body", () => {
  it("is never sent with GET", () => {
    expect(render({ method: "GET", body: '{"a":$nobody}' })).toBeUndefined();
    expect(render({ method: "GET", body: { a: "$nobody" } })).toBeUndefined();
  });

  it("is not sent when it is absent", () => {
    expect(render({ method: "DELETE" })).toBeUndefined();
    expect(render({ body: "" })).toBeUndefined();
  });

  it("has at most 256 KiB of UTF-8", () => {
    const room = 262_144 - '{"a":""}'.length;
    const given = (text: string) => ({ clientData: { long: text } });
    expect(render({ body: { a: "$long" } }, given("x".repeat(room)))).toHaveLength(262_144);
    expect(render({ body: { a: "$long" } }, given("x".repeat(room + 1)))).toBe("invalid_body");
    expect(render({ body: { a: "$long" } }, given("é".repeat(room / 2 + 1)))).toBe("invalid_body");
  });
});
