import { execFileSync } from "node:child_process";
import { expect, it } from "vitest";
import { shell, snippetsFor } from "./snippets.ts";

const input = { baseUrl: "https://host.test/router/v1", secret: "tg_it's" };
const model = () => "org/large";

it("offers the snippets of the dialects that are served, and no other", () => {
  const apis = (served: readonly string[]) =>
    snippetsFor(served, input, model).map(({ api, snippets }) => [api, ...snippets.map(({ name }) => name)]);
  expect(apis(["chat", "responses", "messages", "embeddings", "unknown"])).toEqual([
    ["Chat Completions", "curl", "OpenAI SDK"],
    ["Responses", "curl", "OpenAI SDK"],
    ["Messages", "curl", "Anthropic SDK"],
    ["Embeddings", "curl", "OpenAI SDK"],
  ]);
  expect(apis([])).toEqual([]);
});

it("leaves out a dialect that no model of the key serves", () => {
  const only = (dialect: string) => (dialect === "embeddings" ? "org/vectors" : undefined);
  const [first, ...others] = snippetsFor(["chat", "embeddings"], input, only);
  expect(first?.api).toBe("Embeddings");
  expect(first?.snippets[0]?.code).toContain('"model":"org/vectors"');
  expect(others).toEqual([]);
});

it("gives clients of Anthropic the base URL to which they append /v1/messages", () => {
  const sdkOf = (dialect: string, baseUrl: string) =>
    snippetsFor([dialect], { ...input, baseUrl }, model)[0]?.snippets[1]?.code;
  expect(sdkOf("messages", "https://host.test/router/v1")).toContain('baseURL: "https://host.test/router",');
  expect(sdkOf("messages", "https://host.test/llm")).toContain('baseURL: "https://host.test/llm",');
  expect(sdkOf("responses", "https://host.test/router/v1")).toContain('baseURL: "https://host.test/router/v1",');
});

it.each(["chat", "responses", "messages", "embeddings"])("the curl snippet of %s is read by a shell", (dialect) => {
  const code = snippetsFor([dialect], input, model)[0]?.snippets[0]?.code ?? "";
  const words = execFileSync("sh", ["-c", `curl() { printf '%s\\n' "$@"; }\n${code}`], { encoding: "utf8" });
  const [url, , authorization, ...rest] = words.trimEnd().split("\n");
  expect(url).toMatch(/^https:\/\/host\.test\/router\/v1\/\w/);
  expect(authorization).toBe("Authorization: Bearer tg_it's");
  expect(JSON.parse(rest.at(-1) ?? "")).toMatchObject({ model: "org/large" });
});

it("quotes a word so that a shell reads it as it is", () => {
  const word = `it's "$HOME" \\ \`id\` \n!`;
  expect(execFileSync("sh", ["-c", `printf %s ${shell(word)}`], { encoding: "utf8" })).toBe(word);
});
