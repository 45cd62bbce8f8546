import { describe, expect, it } from "vitest";
import { Redactor } from "./redactor.ts";

const secret = 's3cr/t+k"y é';
const redactor = new Redactor({ secret });

describe("Redactor.text", () => {
  it.each([
    ["unchanged", `a ${secret} b`, "a [redacted] b"],
    ["in UTF-8 that was decoded as Latin-1", Buffer.from(`a ${secret}`).toString("latin1"), "a [redacted]"],
    ["in base64 of Latin-1, as btoa returns it", `Basic ${btoa(`me:${secret}`)}`, "Basic bWU6[redacted]"],
    [
      "in base64 that is URL-encoded",
      encodeURIComponent(Buffer.from("????k~~>").toString("base64")),
      "Pz8%2FP2t%2Bfj4%3D",
    ],
    ["in upper case", `a ${secret.toUpperCase()}`, "a [redacted]"],
    ["in mixed case", 'S3cR/t+k"Y É', "[redacted]"],
    ["URL-encoded twice", encodeURIComponent(encodeURIComponent(secret)), "[redacted]"],
    ["HTML-escaped", "s3cr/t+k&quot;y é", "[redacted]"],
    ["HTML-escaped, as Go and Jinja write a quote", "s3cr/t+k&#34;y é", "[redacted]"],
    ["HTML-escaped within JSON", "s3cr\\/t+k&quot;y \\u00e9", "[redacted]"],
    ["URL-encoded, as Python does", "s3cr/t%2Bk%22y%20%C3%A9", "[redacted]"],
    ["several times", `${secret}${secret},${secret}`, "[redacted][redacted],[redacted]"],
  ])("replaces a secret %s", (_, text, shown) => {
    expect(redactor.text(text)).toBe(shown);
  });

  it("replaces base64 whose `+` and `/` are URL-encoded or escaped", () => {
    const signs = new Redactor({ secret: "????~~~>>>" });
    const base64 = Buffer.from("????~~~>>>").toString("base64");
    expect(base64).toMatch(/[+/]/);
    expect(signs.text(encodeURIComponent(base64))).toBe("[redacted]%3D%3D");
    expect(signs.text(base64.replaceAll("/", "\\/"))).toBe("[redacted]==");
  });

  it("replaces the longer of two secrets, and both when they overlap", () => {
    const both = new Redactor({ short: "abcd", long: "abcdef", next: "efgh" });
    expect(both.text("abcdef-abcd-abcdefgh")).toBe("[redacted]-[redacted]-[redacted]");
  });

  it("does not treat a secret or its mark as a pattern", () => {
    expect(new Redactor({ a: ".*$&(?:" }).text("anything .*$&(?: else")).toBe("anything [redacted] else");
  });

  it("changes no text when there are no secrets, but hides the credentials of URLs", () => {
    const none = new Redactor({});
    const value = { __proto__: null, a: [1] };
    expect(none.text("abc")).toBe("abc");
    expect(none.json(value)).toBe(value);
    expect(none.url("https://a:b@host/?key=1")).toBe("https://[redacted]@host/?key=[redacted]");
    expect(new Redactor({ empty: "" }).text("abc")).toBe("abc");
  });

  it("finds a long secret", () => {
    const long = "zyx/\n".repeat(800);
    expect(new Redactor({ long }).text(`a${JSON.stringify(long)}é`)).toBe('a"[redacted]"é');
  });
});

describe("Redactor.text takes linear time", () => {
  const hard = new Redactor({
    a: "sk-live_4/9q+Xw&amp;%25<x>",
    b: `${"\\".repeat(3)}&&&&%%x`,
    c: "ab/cd+ef==".repeat(20),
    d: "Zk3&quot;",
  });
  const base64 = Buffer.from("ab/cd+ef==".repeat(19)).toString("base64");
  /** The processor time of the fastest of five runs. Other load on the machine has little effect on it. */
  const cost = (text: string) =>
    Math.min(
      ...Array.from({ length: 5 }, () => {
        const begun = process.cpuUsage();
        hard.text(text);
        return process.cpuUsage(begun).user + 1_000;
      }),
    );

  it.each([
    "\\",
    "%25",
    "%",
    "&amp;",
    "&#0",
    "&",
    "\n",
    "\\n",
    "\\\\\\n\n",
    "SK-LIVE_4%252F9q",
    "&amp;amp;amp;",
    "&a".repeat(20),
    "&aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
    `${base64.slice(0, 70)}\n`,
    "ab/cd+ef==",
    "ab%2Fcd%252bef=\n=",
  ])("for %j, repeated", (piece) => {
    const text = (length: number) => piece.repeat(Math.ceil(length / piece.length));
    cost(text(20_000));
    const ratio = () => cost(text(400_000)) / cost(text(50_000));
    // With quadratic time, eight times the text would take 64 times as long in every measurement.
    const isLinear = () => ratio() < 40;
    expect(isLinear() || isLinear() || isLinear()).toBe(true);
  });
});

describe("Redactor.text takes little time", () => {
  const secrets = Object.fromEntries(Array.from({ length: 30 }, (_, i) => [`k${i}`, `sk-live_${i}_Zk3/9q+Xw"${i}`]));
  const many = new Redactor(secrets);
  it.each([
    ["base64", Buffer.alloc(786_432, "any text at all").toString("base64")],
    ["JSON", JSON.stringify(Array.from({ length: 20_000 }, (_, i) => ({ id: i, name: `Ann "x" \n ${i}` })))],
    ["backslashes", "\\".repeat(1_048_576)],
    ["percent signs", "%25".repeat(349_525)],
    ["prefixes of secrets", "sk-live_1".repeat(116_508)],
  ])("for a MiB of %s", (_, text) => {
    const before = process.cpuUsage();
    expect(many.text(text)).toBe(text);
    expect(process.cpuUsage(before).user).toBeLessThan(5_000_000);
  });

  it.each([
    ["a line break", "\n", "sk-live_4/9q+Xw&amp;%25<x>"],
    ["a character that begins a secret", "a", `${"a".repeat(1_000)}b`],
    ["a character that is a secret", "a", "a".repeat(200)],
    ["lines of a long secret", "zyx/\n", `${"zyx/\n".repeat(800)}k`],
  ])("for 4 MiB of %s", (_, piece, secret) => {
    const text = piece.repeat(4_194_304 / piece.length);
    const before = process.cpuUsage();
    new Redactor({ secret }).text(text);
    expect(process.cpuUsage(before).user).toBeLessThan(5_000_000);
  });

  it("for secrets of backslashes and percent signs only", () => {
    const hard = new Redactor({ a: `${"\\".repeat(30)}x`, b: `${"%25".repeat(30)}x`, c: `${'\\\n"'.repeat(20)}x` });
    const text = `${"\\".repeat(5_000)}y${"%25".repeat(5_000)}y${'\\\\\\n\\"'.repeat(2_000)}y`;
    const before = process.cpuUsage();
    expect(hard.text(text)).toBe(text);
    expect(process.cpuUsage(before).user).toBeLessThan(5_000_000);
  });
});

describe("Redactor.json", () => {
  it("replaces secrets in keys and numbers, and preserves a key named __proto__", () => {
    const given = JSON.parse('{"__proto__":{"a":"k3y-k3y"},"k3y-k3y":[null,true,12345678]}');
    const shown = new Redactor({ a: "k3y-k3y", b: "12345678" }).json(given);
    expect(JSON.stringify(shown)).toBe('{"__proto__":{"a":"[redacted]"},"[redacted]":[null,true,"[redacted]"]}');
    expect(Object.getPrototypeOf(shown)).toBe(Object.prototype);
  });

  it("returns text for a value in which a secret spans several strings", () => {
    const shown = new Redactor({ account: '{"type":"service","id":7}' }).json({ you: { type: "service", id: 7 } });
    expect(shown).toBe('{"you":[redacted]}');
  });

  it("omits what is nested too deeply", () => {
    const deep = JSON.parse(`${"[".repeat(20_000)}${"]".repeat(20_000)}`);
    expect(JSON.stringify(new Redactor({ a: "abcd" }).json(deep))).toContain("[too deep to show]");
  });
});

describe("Redactor.url", () => {
  it.each([
    ["https://user:pw@host/a", "https://[redacted]@host/a"],
    ["https://a@b:c@host?x=1", "https://[redacted]@host?x=1"],
    ["https://host/a@b?x=@c", "https://host/a@b?x=@c"],
    [
      "https://host/?page=2&api_key=1&X-Api-Key=2&q=3",
      "https://host/?page=2&api_key=[redacted]&X-Api-Key=[redacted]&q=3",
    ],
    ["https://host/?token=a;b=c&d=e", "https://host/?token=[redacted]&d=e"],
    ["https://host/?a=1;token=b", "https://host/?a=1;token=[redacted]"],
    ["https://host/#access_token=a&b=c", "https://host/#access_token=[redacted]&b=c"],
    ["https://host/?to=https://x/?sig=abc", "https://host/?to=https://x/?sig=[redacted]"],
    ["https://host/?key", "https://host/?key"],
    ["not a url", "not a url"],
    ["", ""],
  ])("redacts %s", (url, shown) => {
    expect(redactor.url(url)).toBe(shown);
  });

  it.each([
    "key",
    "KEY",
    "apiKey",
    "accessToken",
    "client_secret",
    "Password",
    "sig",
    "X-Amz-Signature",
    "code",
    "auth",
    "Authorization",
    "access_token",
    "api-key",
    "hmac",
    "token[]",
  ])("hides the value of %s", (name) => {
    expect(redactor.url(`https://host/?a=b&${name}=value&c=d`)).toBe(`https://host/?a=b&${name}=[redacted]&c=d`);
  });

  it.each(["keyword", "author", "design", "page", "passage", "codec"])("shows the value of %s", (name) => {
    expect(redactor.url(`https://host/?${name}=value`)).toBe(`https://host/?${name}=value`);
  });

  it("replaces secrets before it parses the query", () => {
    expect(new Redactor({ a: "ab&code=cd" }).url("https://host/?x=ab&code=cd")).toBe("https://host/?x=[redacted]");
  });
});
