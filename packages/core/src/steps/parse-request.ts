import { GatewayError } from "../errors/gateway-error.ts";
import { type Parsed, RequestContent, type WithBody } from "../request/request-stages.ts";
import { type Awaitable, mapAwaitable } from "../runtime/awaitable.ts";
import type { RequestProblem } from "../wire/chat-completion-request.ts";
import { type ReadRequest, readParsed, readUnparsed } from "../wire/forwarding/forward.ts";
import { type Inspection, inspectRequest, type Misspelt } from "../wire/forwarding/inspect-request.ts";
import { parseScanned, withinLimits } from "./parse-json.ts";

const named = { name: "The request body" };

/** Check 5: JSON and schema, and that nothing that is checked can be read in another way than it was. */
export function parseRequest(withBody: WithBody): Awaitable<Parsed> {
  const { body } = withBody;
  const inspection = inspectRequest(body);
  withinLimits(inspection, named);
  const read = readUnparsed(body, inspection);
  if (read !== undefined) return toParsed(withBody, read, inspection);
  const value = parseScanned(body, inspection.values, named);
  return mapAwaitable(value, (parsed) => toParsed(withBody, readParsed(parsed), inspection));
}

function toParsed(
  { body, ...admitted }: WithBody,
  read: ReadRequest | { readonly problem: RequestProblem },
  inspection: Inspection,
): Parsed {
  if (inspection.misspelt !== undefined) throw ambiguous(inspection.misspelt);
  if ("problem" in read) throw schemaError(read.problem);
  return { ...admitted, content: new RequestContent(body, read, inspection) };
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
