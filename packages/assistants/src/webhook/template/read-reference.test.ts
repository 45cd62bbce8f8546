import type { Json } from "@tollgate/core/provider";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { VariableSources } from "../../definition/compiled-webhook.ts";
import { renderText } from "./render-text.ts";
import { knownNames, Scope } from "./scope.ts";
import { textOf } from "./value-forms.ts";

const system = { "session.id": "S", "company.id": "C", "assistant.id": "A" };

function scopeOf(given: Partial<VariableSources>): Scope {
  const sources = { system, images: [], secrets: {}, declared: [], arguments: {}, clientData: {}, ...given };
  return new Scope(sources, knownNames(sources.declared, Object.keys(sources.secrets)));
}

function render(text: string, clientData: Record<string, Json>, given: Partial<VariableSources> = {}) {
  const scope = scopeOf({ clientData, ...given });
  const rendered = renderText(text, scope, textOf);
  return scope.unresolved.length > 0 ? { unresolved: scope.unresolved } : rendered;
}

describe("a template", () => {
  it.each<[what: string, text: string, clientData: Record<string, Json>, rendered: string]>([
    ["puts a value in", "to $city.", { city: "Rome" }, "to Rome."],
    ["takes the longest name", "$user_id $user", { user: "Ann", user_id: "7" }, "7 Ann"],
    ["takes the longest name, whatever the order of keys", "$abc", { a: 1, abc: 3, ab: 2 }, "3"],
    ["looks for no boundary after a name", "$id_2026", { id: 5 }, "5_2026"],
    ["ends a name in braces", "$" + "{id}2", { id: 5, id2: 6 }, "52"],
    ["takes a name with dots, hyphens and brackets", "$a-b.c[0]$", { "a-b": 1, "a-b.c[0]": 2 }, "2$"],
    ["takes no name of other characters", "$order-id/x y$", { "order-id": 1, "order-id/x y": 2 }, "1/x y$"],
    ["takes a name of any characters in braces", "$" + "{order-id/x y}", { "order-id": 1, "order-id/x y": 2 }, "2"],
    ["takes no key with a dollar in it", "$a$b", { a: 1, b: 2, a$b: 3 }, "12"],
    ["takes a name of another script", "$größe $ключ", { größe: 1, ключ: 2 }, "1 2"],
    ["reads two dollars as one", "$$id $$$id", { id: 5 }, "$id $5"],
    ["leaves a price alone", "$5, $10.00, US$", { "5": "no", "10": "no" }, "$5, $10.00, US$"],
    ["reaches a digit in braces", "$" + "{5}", { "5": "five" }, "five"],
    ["leaves lone dollars and open braces", "$ $- $( $" + "{} $" + "{id", { id: 1 }, "$ $- $( $" + "{} $" + "{id"],
    ["follows a path", "$user.name $orders[1].id", { user: { name: "Ann" }, orders: [0, { id: 7 }] }, "Ann 7"],
    ["follows a path in braces", "$" + "{user.name}s", { user: { name: "Ann" } }, "Anns"],
    ["prefers an exact key to a path", "$" + "{user.name}", { user: { name: "path" }, "user.name": "key" }, "key"],
    ["prefers a longer key to a path", "$user.name", { user: { name: "path" }, "user.name": "key" }, "key"],
    ["takes of the names that fit braces the one whose path fits", "$" + "{a.bc}", { a: { bc: 1 }, "a.b": 2 }, "1"],
    ["leaves what is no path", "$user.name.", { user: { name: "Ann" } }, "Ann."],
    ["leaves a path that leads nowhere", "$user.age $n[0]", { user: {}, n: [] }, "{}.age [][0]"],
    ["takes a path as far as it leads", "$user.name.first", { user: { name: "Ann" } }, "Ann.first"],
    ["looks at whole names in a path", "$user.names", { user: { name: "Ann" } }, '{"name":"Ann"}.names'],
    ["follows no inherited member", "$user.constructor $user.__proto__", { user: {} }, "{}.constructor {}.__proto__"],
    ["follows no length", "$list.length $name.length", { list: [1], name: "Ann" }, "[1].length Ann.length"],
    ["takes an index only as it is written", "$list[00] $list[0]", { list: ["a"] }, '["a"][00] a'],
    ["follows an own __proto__", "$user.__proto__", { user: JSON.parse('{"__proto__":1}') }, "1"],
    ["writes numbers and truth", "$a $b $c", { a: 1.5, b: true, c: 0 }, "1.5 true 0"],
    ["writes null as nothing", "[$a]", { a: null }, "[]"],
    ["writes objects and arrays as compact JSON", "$a", { a: [{ b: [1, "x"] }] }, '[{"b":[1,"x"]}]'],
    ["never reads a value again", "$a $b", { a: "$b", b: "$& $$ $`" }, "$b $& $$ $`"],
    ["leaves a dollar before what is no letter", "$€5 $~x $|x $🙂", { "": "no", x: "no" }, "$€5 $~x $|x $🙂"],
    ["takes the last letters of the alphabet", "$z $Z", { z: 1, Z: 2 }, "1 2"],
    ["reads a variable after an open brace", "$" + "{$id", { id: 5 }, "$" + "{5"],
    ["takes an index only of an array", "$user[0]", { user: { undefined: 1 } }, '{"undefined":1}[0]'],
    ["takes an index of several digits", "$list[10]", { list: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, "ten"] }, "ten"],
    ["tells cases apart", "$ID", { id: 1, ID: 2 }, "2"],
  ])("%s", (_, text, clientData, rendered) => {
    expect(render(text, clientData)).toBe(rendered);
  });

  it.each<[what: string, text: string, unresolved: string[]]>([
    ["an unknown name", "$nobody", ["nobody"]],
    ["all unknown names, once each", "$b $a_1. $b $" + "{c d}", ["b", "a_1", "c d"]],
    ["a path of an unknown name", "$nobody.name[0]", ["nobody"]],
    ["a path in braces that leads nowhere", "$" + "{known.age}", ["known.age"]],
    ["a path in braces with more behind it", "$" + "{known.name!}", ["known.name!"]],
    ["a member of an image", "$" + "{images[0].url}", ["images[0].url"]],
    ["a part of a system name", "$session", ["session"]],
    ["an inherited name", "$constructor $__proto__ $toString", ["constructor", "__proto__", "toString"]],
  ])("does not resolve %s", (_, text, unresolved) => {
    expect(render(text, { known: { name: "Ann" } }, { images: ["one"] })).toEqual({ unresolved });
  });

  it("resolves the names of the system", () => {
    const images = ["one", "two"];
    const text = "$session.id $company.id $assistant.id $images[1] $images $images.x";
    expect(render(text, {}, { images })).toBe('S C A two ["one","two"] ["one","two"].x');
  });

  it("takes an image only with an index", () => {
    expect(render("$images[x] $images[", {}, { images: ["one"] })).toBe('["one"][x] ["one"][');
  });

  it("takes of the names in braces the longest that leads to a value, whatever their order", () => {
    const nested = { declared: ["a", "a.b"], arguments: { a: { b: { c: 1 } }, "a.b": { c: 2 } } };
    expect(render("$" + "{a.b.c}", {}, nested)).toBe("2");
    const text = { declared: ["user.name"], arguments: { "user.name": "no object" } };
    expect(render("$" + "{user.name.first}", { user: { name: { first: "Ann" } } }, text)).toBe("Ann");
  });

  it("does not resolve a name in braces to another one of the same length", () => {
    const given = { declared: ["others"], arguments: { others: "x" } };
    expect(render("$" + "{orders}", {}, given)).toEqual({ unresolved: ["orders"] });
  });

  it("does not resolve a configured secret that has no value", () => {
    const sources = { system, images: [], secrets: {}, declared: [], arguments: {}, clientData: {} };
    const scope = new Scope(sources, knownNames([], ["key"]));
    expect(renderText("$key $" + "{key.x}", scope, textOf)).toBe(" ");
    expect(scope.unresolved).toEqual(["key", "key.x"]);
  });

  it.each([
    ["when the webhook was configured", ["name"], []],
    ["for the assistant", [], ["name"]],
  ])("resolves an argument that is declared %s", (_, properties, declared) => {
    const sources = { system, images: [], secrets: {}, declared, arguments: { name: "Ann" }, clientData: {} };
    expect(renderText("$name", new Scope(sources, knownNames(properties, [])), textOf)).toBe("Ann");
  });

  it.each(["$images[5]", "$" + "{images[5]}", "$images[00]"])(
    "resolves %s, which does not exist, to no value",
    (text) => {
      expect(render(`[${text}].`, {}, { images: ["one"] })).toBe("[].");
    },
  );

  it("prefers a declared name without a value to a shorter one with a value", () => {
    expect(render("[$user_id]", { user: "Ann" }, { declared: ["user_id"] })).toBe("[]");
  });
});

describe("a name in several sources", () => {
  const all: Partial<VariableSources> = {
    secrets: { "session.id": "secret", a: "secret", b: "secret" },
    declared: ["a", "b", "c", "d", "session.id"],
    arguments: { a: "argument", c: "argument", undeclared: "argument", "session.id": "argument" },
    clientData: { a: "data", c: "data", d: "data", e: "data", "session.id": "data" },
  };

  it.each([
    ["session.id", "system", "S"],
    ["a", "secret", "secret"],
    ["c", "argument", "argument"],
    ["d", "client_data", "data"],
    ["e", "client_data", "data"],
  ])("%s resolves to the source of highest precedence, %s", (name, source, value) => {
    const scope = scopeOf(all);
    expect(renderText(`$${name}`, scope, textOf)).toBe(value);
    expect(scope.used).toEqual([{ name, source, value }]);
  });

  it("never resolves to an undeclared argument", () => {
    expect(render("$undeclared", {}, all)).toEqual({ unresolved: ["undeclared"] });
  });
});

describe("a key of client data that begins with another source's name", () => {
  const sources: Partial<VariableSources> = {
    secrets: { token: "secret" },
    declared: ["order", "user"],
    arguments: { order: "argument", user: { name: "Ann" } },
    images: ["one"],
  };

  it.each([
    ["goes on with _", "$order_id", "order_id", "data"],
    ["goes on with a digit", "$token2", "token2", "data"],
    ["goes on with a letter", "$orderé", "orderé", "data"],
    ["goes on with a letter after an image", "$images[0]x", "images[0]x", "data"],
    ["goes on with a hyphen", "$token-x", "token-x", "secret-x"],
    ["goes on with a dot", "$user.name", "user.name", "Ann"],
    ["goes on with a dot in braces", "$" + "{user.name}", "user.name", "Ann"],
    ["goes on with a bracket", "$order[0]", "order[0]", "argument[0]"],
    ["goes on with a mark", "$order\u0301", "order\u0301", "argument\u0301"],
    ["goes on with a dollar", "$token$order", "token$order", "secretargument"],
    ["goes on with a blank", "$token x", "token x", "secret x"],
    ["extends a system name by a dot", "$images[0].x", "images[0].x", "one.x"],
    ["cannot be a path of the name", "$" + "{order-id}", "order-id", "data"],
  ])("%s: %s", (_, text, key, rendered) => {
    expect(render(text, { [key]: "data" }, sources)).toBe(rendered);
  });

  it("does not replace a path into an argument that has no such member", () => {
    const text = "$" + "{user.age}";
    expect(render(text, { "user.age": "data" }, sources)).toEqual({ unresolved: ["user.age"] });
  });

  it("takes precedence over the name and over a shorter key of the same kind", () => {
    const clientData = { order_i: 1, order_id: 2, "order-id": 3 };
    expect(render("$order_id $order_ix $order-id", clientData, sources)).toBe("2 1x argument-id");
  });

  it("changes no variable of another source unless a word character follows its name", () => {
    const parts = fc.constantFrom(
      "token",
      "order",
      "user",
      "images",
      "session.id",
      "$",
      "-",
      ".",
      "[0]",
      " ",
      "}",
      "é",
    );
    const keys = fc.array(parts, { minLength: 1, maxLength: 4 }).map((each) => each.join(""));
    const separators = fc.constantFrom("-", ".", " ", "/", "$", "[0]", "\u0301", ":", "");
    const names = fc.constantFrom("token", "order", "user", "images[0]", "session.id");
    fc.assert(
      fc.property(fc.array(keys, { maxLength: 6 }), names, separators, names, (given, first, separator, second) => {
        const text = `$${first}${separator}$${second}`;
        const clientData = Object.fromEntries(given.map((key) => [key, "DATA"]));
        expect(render(text, clientData, sources)).toEqual(render(text, {}, sources));
      }),
      { numRuns: 1_000 },
    );
  });
});
