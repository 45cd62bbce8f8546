import { openaiCompatible } from "@tollgate/core";
import type { ProviderAdapter } from "@tollgate/core/provider";
import { isJsonObject } from "./json-object.ts";
import { embeddingLength } from "./offline/embeddings.ts";
import { offlineProvider } from "./offline/offline-provider.ts";

/** The upstream of the embedding model. */
interface EmbeddingUpstream {
  readonly provider: ProviderAdapter;
  readonly model: string;
  /** The length of its vectors. Absent: not known. */
  readonly dimensions?: number;
}

/** The upstream of the quickstart's models. */
export interface Upstream {
  readonly provider: ProviderAdapter;
  /** The upstream's name of the model that answers. */
  readonly model: string;
  /** The upstream's name of the model that answers requests with a reasoning effort. */
  readonly reasoningModel: string;
  readonly embeddings: EmbeddingUpstream;
  /** True for the offline provider. */
  readonly isOffline: boolean;
  /** One or two sentences for the person who started the quickstart. */
  readonly description: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

const localOllama = "http://127.0.0.1:11434";
const ollamaTimeoutMs = 300;

/**
 * Chooses the upstream: the one at `OPENAI_BASE_URL`, or else a local Ollama with a model, or else the offline provider.
 * `QUICKSTART_OFFLINE=1` always chooses the offline provider.
 */
export async function chooseUpstream(environment: Environment, ollamaUrl = localOllama): Promise<Upstream> {
  if (environment["QUICKSTART_OFFLINE"] === "1") return offline("QUICKSTART_OFFLINE=1 is set.");
  const baseURL = environment["OPENAI_BASE_URL"];
  if (baseURL) return openai(baseURL, environment);
  const model = await findOllamaModel(ollamaUrl);
  if (model !== undefined) return ollama(ollamaUrl, model);
  const hint = environment["OPENAI_API_KEY"]
    ? " Your OPENAI_API_KEY is not used while OPENAI_BASE_URL is not set."
    : "";
  return offline(`OPENAI_BASE_URL is not set, and no Ollama runs at ${ollamaUrl}.${hint}`);
}

function openai(baseURL: string, environment: Environment): Upstream {
  if (!isWebUrl(baseURL)) {
    throw new Error(
      "OPENAI_BASE_URL is not an http or https URL. Set it to one, such as https://api.openai.com/v1, or unset it.",
    );
  }
  const apiKey = environment["OPENAI_API_KEY"];
  const model = environment["OPENAI_MODEL"] || "gpt-5-mini";
  const options = { name: "openai", baseURL, ...(apiKey ? { apiKey } : {}) };
  return {
    provider: openaiCompatible(options),
    model,
    reasoningModel: environment["OPENAI_REASONING_MODEL"] || model,
    embeddings: {
      provider: openaiCompatible({ ...options, dialects: ["embeddings"] }),
      model: environment["OPENAI_EMBEDDING_MODEL"] || "text-embedding-3-small",
    },
    isOffline: false,
    description: `Requests are answered by the model ${model} at ${new URL(baseURL).origin}.`,
  };
}

const isWebUrl = (text: string): boolean => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);

function ollama(ollamaUrl: string, model: string): Upstream {
  const provider = openaiCompatible({ name: "ollama", baseURL: `${ollamaUrl}/v1`, dialects: ["embeddings"] });
  return {
    provider,
    model,
    reasoningModel: model,
    embeddings: { provider, model },
    isOffline: false,
    description: `Requests are answered by the model ${model} of your local Ollama.`,
  };
}

function offline(reason: string): Upstream {
  const provider = offlineProvider();
  return {
    provider,
    model: "offline-echo",
    reasoningModel: "offline-echo",
    embeddings: { provider, model: "offline-embedding", dimensions: embeddingLength },
    isOffline: true,
    description: `${reason} Requests are answered by the built-in offline provider: it echoes messages, calls tools and fills JSON schemas.`,
  };
}

async function findOllamaModel(ollamaUrl: string): Promise<string | undefined> {
  try {
    const answer = await fetch(`${ollamaUrl}/api/tags`, { signal: AbortSignal.timeout(ollamaTimeoutMs) });
    const tags: unknown = await answer.json();
    const models = isJsonObject(tags) && Array.isArray(tags["models"]) ? tags["models"] : [];
    const name: unknown = models[0]?.name;
    return typeof name === "string" ? name : undefined;
  } catch {
    return undefined;
  }
}
