import { isJsonObject, type JsonObject } from "./json.ts";

const hasMember = (name: string, hidden: unknown) => (value: unknown) => isJsonObject(value) && value[name] === hidden;
const hasAny =
  (...tests: readonly ((value: unknown) => boolean)[]) =>
  (value: unknown) =>
    tests.some((test) => test(value));

/**
 * How upstreams are asked to reason without showing it, or only in an encrypted form: a member of the request, and whether
 * its value hides reasoning. The model still reasons, and its tokens are charged.
 */
const hiding: readonly (readonly [name: string, hides: (value: unknown) => boolean])[] = [
  // https://openrouter.ai/docs/use-cases/reasoning-tokens, also of Vercel's AI Gateway; vLLM and Groq have the first.
  ["include_reasoning", (value) => value === false],
  ["reasoning", hasAny(hasMember("exclude", true), hasMember("enabled", false))],
  // https://console.groq.com/docs/reasoning and https://inference-docs.cerebras.ai/capabilities/reasoning
  ["reasoning_format", (value) => value === "hidden"],
  // https://platform.claude.com/docs/en/build-with-claude/adaptive-thinking
  ["thinking", hasMember("display", "omitted")],
  // https://ai.google.dev/gemini-api/docs/thinking
  ["thinking_config", hasAny(hasMember("include_thoughts", false), hasMember("includeThoughts", false))],
  // https://platform.openai.com/docs/guides/reasoning#encrypted-reasoning-items
  ["include", (value) => Array.isArray(value) && value.includes("reasoning.encrypted_content")],
  // https://docs.x.ai/docs/guides/reasoning
  ["use_encrypted_content", (value) => value === true],
];

/** True for the settings of a request, in any dialect, that ask for reasoning which the answer does not show. */
export function asksToHideReasoning(settings: JsonObject): boolean {
  for (const [name, hides] of hiding) if (settings[name] !== undefined && hides(settings[name])) return true;
  return false;
}
