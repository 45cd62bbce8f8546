import type { AnswerReader, ModelApi } from "../../answering/model-api.ts";
import { GatewayError } from "../../errors/gateway-error.ts";
import type { ProviderAnswer } from "../../ports/provider-adapter.ts";
import { AccountSigner } from "../../request/account-signer.ts";
import { Call } from "../../request/call.ts";
import type { NativeRequest } from "../../request/native-request.ts";
import type { Admission } from "../../request/paid-call.ts";
import type { Services } from "../../request/services.ts";
import { findingsOf, inspectBody, parseInspected, schemaError } from "../../steps/parse-request.ts";
import type { MemberChange } from "../../wire/edits.ts";
import { RequestText } from "../../wire/forwarding/request-text.ts";
import { promptOfInputs } from "../../wire/prompt.ts";
import { nullChanges } from "../../wire/shape-of.ts";
import {
  type EmbeddingsRequest,
  embeddingsShape,
  MeasuredInputs,
  readEmbeddingsRequest,
} from "./embeddings-request.ts";
import { readEmbeddings } from "./read-embeddings.ts";

/**
 * OpenAI's Embeddings API. Only providers that declare the dialect answer it, in one piece.
 * Follows https://platform.openai.com/docs/api-reference/embeddings
 */
export const embeddingsApi: ModelApi = {
  dialect: "embeddings",
  parse: parseEmbeddings,
  translated: untranslated<ProviderAnswer>(),
  native: { ...untranslated(), read: readEmbeddings },
  textOf: () => "",
  mergeFrames: () => undefined,
  endpoints: [],
};

/** A request in this dialect is refused before it could be translated or streamed. */
function untranslated<Given>(): AnswerReader<Given> {
  const refuse = (): never => {
    throw new Error("Embeddings are neither translated nor streamed.");
  };
  return { read: refuse, translator: refuse };
}

/** Parses an embeddings request. Throws 400 for invalid JSON, and for what does not match the schema. */
async function parseEmbeddings({ secrets }: Services, { caller, slot }: Admission, body: Uint8Array): Promise<Call> {
  const signer = new AccountSigner(secrets, caller.key.account);
  const inspection = inspectBody(body, embeddingsShape);
  const read = readEmbeddingsRequest(await parseInspected(body, inspection));
  if ("problem" in read) throw schemaError(read.problem);
  const { request, inputs } = read;
  const text = new RequestText(body, inspection, undefined);
  return new Call({
    dialect: "embeddings",
    chat: { model: request.model, user: request.user },
    prompt: promptOfInputs(new MeasuredInputs(inputs, request.dimensions ?? undefined)),
    body: text,
    bytes: body.length,
    inspected: findingsOf(inspection),
    native: nativeRequest(text, request, signer),
    share: slot.body,
  });
}

function nativeRequest(text: RequestText, request: EmbeddingsRequest, signer: AccountSigner): NativeRequest {
  const nulls = nullChanges(request, embeddingsShape);
  const asksForBase64 = request.encoding_format === "base64";
  return {
    text,
    headers: {},
    query: {},
    untranslatable,
    changes: ({ upstreamModel, upstreamModelJson, provider }) => ({
      members: [
        { name: "model", value: upstreamModel, json: upstreamModelJson },
        ...nulls,
        ...signer.idChanges(request, provider),
        ...(asksForBase64 && provider.capabilities.base64Vectors === false ? asFloats : []),
      ],
      isRemoved: ({ why }) => why === "null",
    }),
    dropped: () => [],
    onAnswer: undefined,
  };
}

/** The answer is converted to base64. */
const asFloats: readonly MemberChange[] = [{ name: "encoding_format", value: "float" }];

const untranslatable = new GatewayError(
  "unsupported_value",
  "The provider of this model does not answer embeddings. Use an embedding model.",
  { param: "model" },
);
