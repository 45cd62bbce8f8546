import { GatewayError } from "../../errors/gateway-error.ts";
import { AccountSigner } from "../../request/account-signer.ts";
import type { NativeRequest } from "../../request/native-request.ts";
import { type Parsed, RequestContent, type WithBody } from "../../request/request-stages.ts";
import type { SecretServices } from "../../request/services.ts";
import { type Awaitable, mapAwaitable } from "../../runtime/awaitable.ts";
import { findingsOf, inspectBody, parseInspected, schemaError } from "../../steps/parse-request.ts";
import { RequestText } from "../../wire/forwarding/forward-request.ts";
import type { Inspection } from "../../wire/forwarding/inspect-request.ts";
import { Level } from "../../wire/forwarding/level.ts";
import type { MemberChange } from "../../wire/forwarding/splice-members.ts";
import { moving } from "../../wire/inspected-names.ts";
import type { Json } from "../../wire/json.ts";
import { promptOfInputs } from "../../wire/prompt.ts";
import { type EmbeddingsRequest, embeddingsRequest, readEmbeddingsRequest } from "./embeddings-request.ts";
import { MeasuredInputs } from "./measured-inputs.ts";

/** Some upstreams read these in place of `input`, so that its limits and its bound would not hold. */
const otherInputs = ["messages", "inputs"];

const root = new Level({ checked: Object.keys(embeddingsRequest.entries), refused: [...moving, ...otherInputs] });

/** Check 5 of an embeddings request: valid JSON that matches the schema. */
export function parseEmbeddings({ secrets }: SecretServices, { body, ...admitted }: WithBody): Awaitable<Parsed> {
  const signer = new AccountSigner(secrets, admitted.key.account);
  const inspection = inspectBody(body, root);
  return mapAwaitable(parseInspected(body, inspection), (value) => ({
    ...admitted,
    content: contentOf(body, inspection, value, signer),
  }));
}

function contentOf(body: Uint8Array, inspection: Inspection, value: Json, signer: AccountSigner): RequestContent {
  const read = readEmbeddingsRequest(value);
  if ("problem" in read) throw schemaError(read.problem);
  const { request, inputs } = read;
  const text = new RequestText(body, inspection, undefined);
  return new RequestContent({
    dialect: "embeddings",
    chat: { model: request.model, user: request.user },
    prompt: promptOfInputs(new MeasuredInputs(inputs, request.dimensions ?? undefined)),
    text,
    bytes: body.length,
    inspected: findingsOf(inspection),
    native: nativeRequest(text, request, signer),
  });
}

function nativeRequest(text: RequestText, request: EmbeddingsRequest, signer: AccountSigner): NativeRequest {
  const nulls: MemberChange[] = Object.keys(embeddingsRequest.entries)
    .filter((name) => request[name] === null)
    .map((name) => ({ name, value: undefined }));
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
      ],
      isCut: ({ why }) => why === "null",
    }),
    dropped: () => [],
    onAnswer: undefined,
  };
}

const untranslatable = new GatewayError(
  "unsupported_value",
  "The provider of this model does not answer embeddings. Use an embedding model.",
  { param: "model" },
);
