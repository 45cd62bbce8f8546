import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { aiSdk } from "@tollgate/ai-sdk";
import { providerContract, type ScriptedUpstream } from "@tollgate/contract";
import { describe, it } from "vitest";
import { scriptedLanguageModel } from "./scripted-language-model.ts";

/** The AI SDK follows redirects unless its provider has a `fetch` that does not. */
const withoutRedirects: typeof fetch = (input, init) => fetch(input, { ...init, redirect: "manual" });

function create({ origin, apiKey }: ScriptedUpstream) {
  const sdk = createOpenAICompatible({
    name: "up",
    baseURL: `${origin}/v1`,
    apiKey,
    includeUsage: true,
    fetch: withoutRedirects,
  });
  return { provider: aiSdk(sdk, { secrets: [apiKey] }) };
}

const ownFetch = "A model of the SDK connects through the fetch of its own provider.";
const ownParsing = "A provider of the SDK parses the response itself, and accepts only the format that it requested.";

describe.concurrent("aiSdk over @ai-sdk/openai-compatible", () => {
  providerContract({
    test: { describe, it },
    create,
    without: {
      "every request uses the call's transport, connect timeout and signal": ownFetch,
      "the key is sent in a header and never in a URL": ownFetch,
      "an error of the transport keeps its kind": ownFetch,
      "events are converted in response to a request for JSON": ownParsing,
      "JSON is converted in response to a request for events": ownParsing,
    },
  });
});

describe.concurrent("aiSdk over a hand-written model", () => {
  providerContract({
    test: { describe, it },
    create: (upstream) => ({ provider: aiSdk(scriptedLanguageModel(upstream), { secrets: [upstream.apiKey] }) }),
    behind: "scripts",
  });
});
