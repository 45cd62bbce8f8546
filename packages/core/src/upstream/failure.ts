import { ProviderError, type ProviderFailure } from "../errors/provider-error.ts";
import { clientText } from "./client-text.ts";
import { type ErrorPayload, readErrorPayload } from "./error-payload.ts";

/** The upstream whose failure is classified. */
export interface FailureContext {
  /** The name of the adapter, for the host's message. */
  readonly provider?: string;
  /** Strings that must not reach the client: the key, the host, the upstream's model name. */
  readonly hidden?: readonly string[];
  /** The public id of the model, which clients may see. */
  readonly publicModel?: string;
  /** Strings that an answer must not contain, even in the output of a model: the key and the address. */
  readonly secrets?: readonly string[];
}

/** What a target's upstream, its answer and the gateway call a model. */
export interface AnsweringTarget {
  readonly provider: { readonly name: string };
  readonly upstreamModel: string;
}

/** Returns the context of a target for the answers of a public model. Its upstream's name is no secret if it is the public one. */
export const contextOf = (
  { provider, upstreamModel }: AnsweringTarget,
  publicModel: string,
  { hidden = [], secrets = [] }: Pick<FailureContext, "hidden" | "secrets">,
): FailureContext => ({
  provider: provider.name,
  hidden: upstreamModel === publicModel ? hidden : [...hidden, upstreamModel],
  secrets,
  publicModel,
});

/**
 * Classifies an error that came in place of an answer: the `error` member of a stream frame, or a whole frame or body
 * that has one. Without a `status` of 4xx or 5xx, the status or code of the payload decides; without these it is `failed`.
 */
export function classifyErrorPayload(error: unknown, status?: number, context: FailureContext = {}): ProviderError {
  const payload = readErrorPayload(error);
  return toProviderError(status !== undefined && status >= 400 ? status : payload.status, payload, context);
}

/** Makes the ProviderError of a status and an error payload. */
export function toProviderError(
  status: number | undefined,
  payload: ErrorPayload,
  { provider = "The provider", hidden = [], publicModel }: FailureContext,
): ProviderError {
  const failure = classify(status, payload);
  const name = payload.names.find((each) => /^[A-Za-z_.-]+$/.test(each));
  const answer = `${status ?? "an error"}${name === undefined ? "" : ` (${name})`}`;
  const isShown = failure === "rejected" || failure === "context_length";
  const text = payload.shown === undefined ? undefined : clientText(payload.shown, hidden, publicModel);
  const requestOnly = failure === "credentials" && isAboutRequest(status, payload);
  const param =
    payload.param !== undefined && clientText(payload.param, hidden) === payload.param ? payload.param : undefined;
  return new ProviderError(
    failure,
    `${provider} answered ${answer}. ${requestOnly ? requestAdvice : advice(failure, status, payload)}`,
    {
      ...(requestOnly ? { requestOnly } : {}),
      ...(status === undefined ? {} : { status }),
      ...(text === undefined ? {} : { upstreamMessage: text }),
      ...(text === undefined || !isShown ? {} : { clientMessage: text }),
      ...(param === undefined ? {} : { param }),
      ...(payload.retryAfterSeconds === undefined ? {} : { retryAfterSeconds: payload.retryAfterSeconds }),
    },
  );
}

function classify(status: number | undefined, { names, message }: ErrorPayload): ProviderFailure {
  if (names.some((name) => accountNames.has(name.toLowerCase()))) return "credentials";
  const blamesRequest = status === undefined || status === 400 || status === 413 || status === 422;
  if (
    blamesRequest &&
    (names.some((name) => isContextLength(name, undefined)) || isContextLength(undefined, message))
  ) {
    return "context_length";
  }
  if (blamesRequest && message !== undefined && accountText.test(message)) return "credentials";
  if (blamesRequest && isUnknownModel(names, message)) return "credentials";
  if (status === undefined) return "failed";
  return failureOfStatus.get(status) ?? (status < 400 ? "invalid_response" : "failed");
}

const failureOfStatus: ReadonlyMap<number, ProviderFailure> = new Map([
  [400, "rejected"],
  [401, "credentials"],
  [402, "credentials"],
  [403, "credentials"],
  [404, "credentials"],
  // A wrong method, a proxy's login, a removed path and a wrong host are errors of the host's configuration too.
  [405, "credentials"],
  [407, "credentials"],
  [410, "credentials"],
  [421, "credentials"],
  [413, "too_large"],
  [422, "rejected"],
  [429, "overloaded"],
  [503, "overloaded"],
  [529, "overloaded"],
]);

/** Some upstreams answer 400 or 429 for an error of the host's key, account or model. */
const accountNames: ReadonlySet<string> = new Set([
  "invalid_api_key",
  "api_key_invalid",
  "insufficient_quota",
  "billing_hard_limit_reached",
  "billing_not_active",
  "account_deactivated",
  "enforced_spend_limit_reached",
  "contract_spend_limit_reached",
  "organization_on_hold",
]);

/** Matches the start of a message only. The rest may quote the request, and no client may open the breaker for all. */
const accountText =
  /^\s*(?:api key not valid|(?:incorrect|invalid) api key|your credit balance is too low|you have reached your specified (?:workspace )?api usage limits|user location is not supported|gemini api free tier is not available|please enable billing)/i;

function advice(failure: ProviderFailure, status: number | undefined, { names, message }: ErrorPayload): string {
  if (failure !== "credentials") return adviceOf[failure];
  return isUnknownModel(names, message) ? modelAdvice : status === 404 ? addressAdvice : adviceOf.credentials;
}

const modelAdvice =
  "It does not have this model, or not for this account. Correct the target's `model`, or deploy or enable the model at this provider.";

const addressAdvice =
  "Check the base URL, which ends before paths such as /chat/completions, and the target's `model`.";

const requestAdvice =
  "It concerns only this request. Add credits at this provider, lower the model's maxOutputTokens, or offer only what the upstream model supports.";

const adviceOf: { readonly [failure in ProviderFailure]: string } = {
  rejected: "The request has to change before it can succeed.",
  context_length: "The prompt has to be shorter, or the model's context window larger.",
  too_large: "The request has to be smaller.",
  credentials: "Check the API key, the account, the base URL and the model's name at this provider.",
  failed: "Try again, or use another target.",
  overloaded: "Wait before you retry, or use another target.",
  unreachable: "Check the base URL and the network.",
  timeout: "Try again, or use another target.",
  invalid_response: "Check that the base URL is that of this provider's API.",
};

const contextCodes: ReadonlySet<string> = new Set([
  "context_length_exceeded",
  "context_window_exceeded",
  "exceed_context_size_error",
]);

/** Texts of OpenAI, Azure, vLLM, SGLang, llama.cpp, TGI, Anthropic, Bedrock, Google, Mistral, Cohere, xAI and OpenRouter. */
const contextTexts: readonly RegExp[] = [
  /maximum (?:context|prompt|model|input) length/i,
  /(?:exceed|longer than|larger than|greater than|too (?:large|long) for)[^.]{0,80}context (?:length|window|size|limit)/i,
  /(?:prompt|input) is too long/i,
  /too many tokens: /i,
  /input token count[^.]{0,40} exceeds/i,
  /tokens \+ .max_new_tokens. must be/i,
  /reduce the length of the (?:messages|prompt|input)/i,
];

/** Returns true if an upstream's error code or message says that the prompt is longer than the context window. */
export function isContextLength(code: string | undefined, message: string | undefined): boolean {
  if (code !== undefined && contextCodes.has(code)) return true;
  return message !== undefined && contextTexts.some((text) => text.test(message.slice(0, 2_000)));
}

/**
 * Returns true for a 402 because the account cannot afford this request, but a smaller one, and for a 404 because the
 * model does not support what this request needs. Other requests to the target may succeed.
 */
function isAboutRequest(status: number | undefined, { message, names }: ErrorPayload): boolean {
  if (message === undefined || names.some((name) => shortOfFunds.has(name.toLowerCase()))) return false;
  if (status === 402) return canAffordLess(message);
  return status === 404 && /^\s*no endpoints found that (?:support|can handle)\b/i.test(message);
}

/** Names of an empty balance, which outweigh the message. */
const shortOfFunds: ReadonlySet<string> = new Set(["insufficient_quota", "billing_error"]);

/** Matches messages of OpenRouter. An amount of 0 means that the account cannot afford any request. */
function canAffordLess(message: string): boolean {
  const [, affordable = ""] = affordableTokens.exec(message) ?? promptTokens.exec(message) ?? [];
  return Number(affordable.replaceAll(",", "")) > 0;
}

const affordableTokens = /^[^.]{0,200}\bfewer max_tokens\b[\s\S]{0,100}\bcan only afford (\d[\d,]{0,14})/i;
const promptTokens = /^\s*prompt tokens limit exceeded: [\d,]{1,15} > (\d[\d,]{0,14})/i;

/** Error codes of an unknown model, in lower case. */
const unknownModelCodes =
  /^(?:deploymentnotfound|invalid_model(?:_id)?|model_not_(?:available|exist|found)|unsupported_model)$/;

const modelName = "[\\w./:@~-]{1,200}";

/**
 * What upstreams say, at the start of the message only, since the rest may quote the request, and no client may take a target
 * out for all: OpenAI, vLLM, Groq, xAI, Qwen, Ollama, DeepSeek and Cohere; Moonshot; Google; Mistral, Perplexity and LiteLLM;
 * OpenRouter; Together; Z.ai and MiniMax; LM Studio; Azure.
 */
const unknownModelTexts = new RegExp(
  `^\\s*(?:(?:the )?(?:requested )?model:? (?:[\`'"]?${modelName}[\`'"]? )?(?:is |was )?(?:does(?: not|n't) exist|not exist|not found)|not found the model|models/\\S{1,200} is not found|invalid model(?: name| id)?(?: passed|\\s*[:'"\`])|${modelName} is not a valid model id|unable to access model|(?:invalid params, )?unknown model|failed to load model|no models? loaded|the api deployment for this resource does not exist)`,
  "i",
);

/** Anthropic: "model: claude-x", with the name `not_found_error`. */
const anthropicText = /^\s*model: \S+$/;

/** Returns true if an upstream's names of an error, or its message, say that it does not have the model. */
function isUnknownModel(names: readonly string[], message: string | undefined): boolean {
  const known = names.map((each) => each.toLowerCase());
  if (known.some((each) => unknownModelCodes.test(each))) return true;
  const start = message?.slice(0, 300) ?? "";
  return unknownModelTexts.test(start) || (known.includes("not_found_error") && anthropicText.test(start));
}
