import { GatewayError } from "../errors/gateway-error.ts";
import { RequestContent } from "../request/request-content.ts";
import type { Parsed, WithBody } from "../request/request-stages.ts";
import { type Awaitable, mapAwaitable } from "../runtime/awaitable.ts";
import { isTextFormat, type RequestProblem, readChatCompletionRequest } from "../wire/chat-completion-request.ts";
import { type Inspection, inspectRequest, type Misspelt } from "../wire/inspect-request.ts";
import { isJsonObject, type Json } from "../wire/json.ts";
import { parseScanned, withinLimits } from "./parse-json.ts";

const named = { name: "The request body" };

/** Check 5: JSON and schema, and that nothing that is checked can be read in another way than it was. */
export function parseRequest(withBody: WithBody): Awaitable<Parsed> {
  const inspection = inspectRequest(withBody.body);
  withinLimits(inspection, named);
  const value = parseScanned(withBody.body, inspection.values, named);
  return mapAwaitable(value, (parsed) => checkRequest(withBody, parsed, inspection));
}

function checkRequest({ body, ...admitted }: WithBody, value: Json, inspection: Inspection): Parsed {
  if (inspection.misspelt !== undefined) throw ambiguous(inspection.misspelt);
  const hasNoFormat = isJsonObject(value) && isTextFormat(value["response_format"]);
  const read = readChatCompletionRequest(hasNoFormat ? { ...value, response_format: null } : value);
  if ("problem" in read) throw schemaError(read.problem);
  return { ...admitted, content: new RequestContent(body, read.request, inspection) };
}

function ambiguous({ param, name, isRepeated }: Misspelt): GatewayError {
  const cure = isRepeated ? "occurs more than once. Send it once." : `is not supported here. Write it \`${name}\`.`;
  return new GatewayError("unsupported_parameter", `\`${param}\` ${cure}`, { param });
}

function schemaError({ param, message }: RequestProblem): GatewayError {
  return new GatewayError(
    "invalid_request",
    param === undefined ? `${named.name} ${message}.` : `\`${param}\` ${message}.`,
    param === undefined ? {} : { param },
  );
}
