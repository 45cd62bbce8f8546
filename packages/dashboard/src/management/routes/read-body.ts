import { GatewayError } from "@tollgate/core";
import { type BodyServices, type ClientRequest, parseJsonExactly, readBody } from "@tollgate/core/internal";
import * as v from "valibot";
import { requireValid } from "./require-valid.ts";

/** The schema of a route that takes no body. */
export const noBody = v.undefined();

const limit = { maxBodyBytes: 65_536, advice: "Send less." };
const untracked = { body: undefined, onAbort: () => undefined };

/** Reads the JSON body of a request. Throws 415 without `application/json`, 413 for more than 64 KiB, and 400 for an invalid one. */
export async function readJsonBody<Output>(
  services: BodyServices,
  request: ClientRequest,
  schema: v.GenericSchema<unknown, Output>,
): Promise<Output> {
  const type = request.header("content-type");
  if (schema.type === noBody.type) {
    if (type !== undefined) requireJson(type);
    return requireValid(schema, undefined, "The body");
  }
  requireJson(type);
  const { body } = await readBody(services, { request, run: untracked }, limit);
  return requireValid(schema, await parseJsonExactly(body, { name: "The request body" }), "The request body");
}

/** Forms of other sites cannot send this type without a preflight. */
function requireJson(type = ""): void {
  if (/^application\/json\s*(?:;|$)/i.test(type)) return;
  throw new GatewayError("unsupported_media_type", "The body must be JSON. Set `Content-Type: application/json`.");
}
