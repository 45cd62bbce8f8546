import { afterEach, describe, expect, it } from "vitest";
import { decodeUtf8, encodeUtf8 } from "../bytes.ts";
import { turnOffShortcuts } from "./rewrite-request.ts";
import { scanCompletion } from "./scan-completion.ts";
import { shortcuts } from "./shortcuts.ts";

const model = { id: "public", idJson: encodeUtf8('"public"') };

function scan(text: string) {
  const found = scanCompletion(encodeUtf8(text), model);
  return found && { ...found, json: decodeUtf8(found.json) };
}

const usage = '"usage":{"prompt_tokens":1,"completion_tokens":2,"total_tokens":3}';
const message = '"message":{"role":"assistant","content":"hi"}';
const choice = `{"index":0,${message},"finish_reason":"stop"}`;
const call = '{"id":"call","type":"function","function":{"name":"f","arguments":"{}"}}';

/** A completion; `others` are further members. */
const completion = (others = "", choices = choice, counts = usage): string =>
  `{"id":"c","object":"chat.completion","created":1,"model":"up","choices":[${choices}],${counts}${others}}`;

const withMessage = (members: string): string =>
  completion("", choice.replace('"content":"hi"', members === "" ? '"content":null' : members));

const withFingerprint = (given: string): string =>
  given.replace(/"model"(\s*):(\s*)"up"/, '"model"$1:$2"public","system_fingerprint":null');

it("reads what the bill and its events need", () => {
  const details =
    '"usage":{"prompt_tokens":9,"completion_tokens":2,"total_tokens":11,"prompt_tokens_details":{"cached_tokens":4},"cost":1.0e-2}';
  const second = choice.replace("0", "1").replace("stop", "length");
  expect(scan(completion("", `${choice},${second}`, details))).toMatchObject({
    id: "c",
    finishReasons: ["stop", "length"],
    usage: {
      prompt_tokens: 9,
      completion_tokens: 2,
      total_tokens: 11,
      prompt_tokens_details: { cached_tokens: 4 },
      cost: 0.01,
    },
  });
  expect(scan(completion().replace('"id":"c"', '"id":"\\u0063\\n"'))?.id).toBe("c\n");
});

describe("a completion that needs another model name", () => {
  it.each([
    completion(),
    ` \n${completion().replaceAll(/[[\]{}:,]/g, " $& ")}\r\n\t`,
    completion(`,"x":{"model":"x","usage":1,"id":2,"choices":[]},"y":[["id",{"z":-1.5e3}],true,null]`),
    completion().replace('"created":1', '"service":{"ä":"\\u0061\\"model\\":\\""},"created":1741570283'),
    completion("", `${choice},{"finish_reason":"content_filter",${message},"index":1,"logprobs":{"content":[]}}`),
    withMessage('"content":"ä\\n😀\\ud800","refusal":null,"reasoning_content":"error"'),
    withMessage(`"content":null,"tool_calls":[${call},${call.replace("{", '{"index":1,')}]`),
    withMessage('"annotations":[]'),
    withMessage('"tool_calls":null'),
    withMessage('"tool_calls":[]'),
    completion(
      "",
      choice,
      '"usage":{"total_tokens":3,"completion_tokens":2,"prompt_tokens":1,"completion_tokens_details":null}',
    ),
  ])("is forwarded with every other byte: %s", (given) => {
    expect(scan(given)?.json).toBe(withFingerprint(given));
  });

  it.each(["null", '"fp_1"'])("keeps a fingerprint of %s", (fingerprint) => {
    const given = completion(`,"system_fingerprint":${fingerprint}`);
    expect(scan(given)?.json).toBe(given.replace('"up"', '"public"'));
  });
});

describe("a text that is parsed and normalized instead", () => {
  const root = completion();
  it.each([
    ["no object", `[${root}]`, "null", '"completion"', ""],
    ["text after it", `${root}x`, `${root},`, `${root}${root}`],
    [
      "broken JSON",
      root.slice(0, -1),
      root.replace(":1,", ":01,"),
      root.replace('"hi"', '"h\u0001i"'),
      root.replace("hi", "\\x"),
    ],
    ["a byte order mark", `\ufeff${root}`],
    ["no id", root.replace('"id":"c",', ""), root.replace('"c"', '""'), root.replace('"c"', "1")],
    ["another object", root.replace(".completion", ""), root.replace("chat.", "\\u0063hat.")],
    [
      "no time",
      root.replace('"created":1,', ""),
      root.replace('"created":1', '"created":0'),
      root.replace('"created":1', '"created":"1"'),
    ],
    ["no name of a model", root.replace('"model":"up",', ""), root.replace('"up"', "null"), root.replace('"up"', "{}")],
    [
      "no choices",
      root.replace(choice, ""),
      root.replace(`[${choice}]`, "{}"),
      root.replace(choice, "1"),
      root.replace(choice, `[${choice}]`),
    ],
    ["no index", root.replace('"index":0,', ""), root.replace('"index":0', '"index":null')],
    [
      "another finish_reason",
      root.replace('"stop"', "null"),
      root.replace('"stop"', '"error"'),
      root.replace('"stop"', '"interrupted"'),
    ],
    ["no message", root.replace(`${message},`, ""), root.replace(message, '"message":null')],
    ["another role", root.replace('"assistant"', '"bot"'), root.replace('"role":"assistant",', "")],
    ["another content", withMessage('"content":[]'), withMessage('"content":1')],
    [
      "no usage",
      root.replace(`,${usage}`, ""),
      root.replace(usage, '"usage":null'),
      root.replace('"total_tokens":3', '"total_tokens":4'),
    ],
    [
      "counts that are no whole numbers",
      root.replace('_tokens":2', '_tokens":2.0'),
      root.replace('"created":1', '"created":1e0'),
      root.replace('"index":0', '"index":-0'),
    ],
    [
      "counts in details that are no whole numbers",
      root.replace('{"prompt', '{"prompt_tokens_details":{"cached_tokens":1.0},"prompt'),
      root.replace('{"prompt', '{"details":[{"x_tokens":1E0}],"prompt'),
    ],
    [
      "a call without id, name or arguments",
      ...['"id":"call",', '"name":"f",', ',"arguments":"{}"'].map((part) =>
        withMessage(`"tool_calls":[${call.replace(part, "")}]`),
      ),
    ],
    [
      "no arguments",
      ...['""', '"null"', '" null "', "{}", "null"].map((text) =>
        withMessage(`"tool_calls":[${call.replace('"{}"', text)}]`),
      ),
    ],
    ["a call of another type", withMessage(`"tool_calls":[${call.replace('"function"', '"custom"')}]`)],
    [
      "an error",
      completion(',"error":null'),
      completion("", choice.replace("{", '{"error":null,')),
      completion(',"x":[{"error":1}]'),
    ],
    [
      "a name with escapes",
      completion(',"\\u0065rror":null'),
      completion(',"x":{"\\"":1}'),
      completion("", choice.replace("{", '{"\\u0069ndex":1,')),
    ],
    [
      "a repeated name",
      ...['"id":"d"', '"model":"x"', '"usage":1', '"choices":[]', '"system_fingerprint":1,"system_fingerprint":2'].map(
        (member) => completion(`,${member}`),
      ),
    ],
    [
      "a repeated name in a choice",
      ...['"index":1', '"finish_reason":"error"', '"message":{}'].map((member) =>
        completion("", choice.replace("{", `{${member},`)),
      ),
    ],
    ["a repeated name in a message", withMessage('"content":"a","content":"b"'), withMessage('"role":"x"')],
    ["more than 100 levels", completion(`,"x":${"[".repeat(100)}${"]".repeat(100)}`)],
  ])("has %s", (_, ...texts) => {
    for (const text of texts) expect([text, scan(text)]).toEqual([text, undefined]);
  });

  it("is not UTF-8", () => {
    const bytes = encodeUtf8(completion());
    bytes[bytes.indexOf("h".charCodeAt(0))] = 0xff;
    expect(scanCompletion(bytes, model)).toBeUndefined();
  });

  it("has counts where only its upstream has them", () => {
    const hits = usage.replace("{", '{"hits":1,');
    const given = encodeUtf8(completion("", choice, hits));
    expect(scanCompletion(given, model, { cachedTokens: ["other"] })).toBeDefined();
    expect(scanCompletion(given, model, { cachedTokens: ["hits"] })).toBeUndefined();
  });

  describe("is any completion while shortcuts are off", () => {
    afterEach(() => {
      shortcuts.reference = undefined;
    });

    it("and forwarded otherwise", () => {
      expect(scan(completion())).toBeDefined();
      turnOffShortcuts();
      expect(scan(completion())).toBeUndefined();
    });
  });
});
