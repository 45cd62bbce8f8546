import { type ChatMessage, type JsonObject, parseExactJson, type ToolCall } from "@tollgate/core/provider";
import { textParts } from "./content-parts.ts";
import type { FunctionCallPart, FunctionResponsePart } from "./gemini-request.ts";
import { isObject } from "./json.ts";
import { needsSignatures } from "./model-generation.ts";
import { refused } from "./refused.ts";
import { noSignature, signatureOf } from "./thought-signature.ts";

/**
 * The tool calls of an assistant's message. Google signs the first of parallel calls alone; when none is signed, the
 * first says so to the models that would refuse it otherwise.
 */
export function callParts(calls: readonly ToolCall[], model: string, param: string): FunctionCallPart[] {
  const unsigned = needsSignatures(model) && calls.every((call) => signatureOf(call) === undefined);
  return calls.map((call, index) => {
    const signature = signatureOf(call) ?? (unsigned && index === 0 ? noSignature : undefined);
    const args = readArguments(call.function.arguments, `${param}.${index}.function.arguments`);
    return {
      functionCall: { id: call.id, name: call.function.name, args },
      ...(signature === undefined ? {} : { thoughtSignature: signature }),
    };
  });
}

/** The result of a tool, for the function that `name` is. */
export function responsePart(message: ChatMessage, name: string, param: string): FunctionResponsePart {
  const text = textParts(message.content, `${param}.content`)
    .map((part) => part.text)
    .join("");
  return { functionResponse: { id: message.tool_call_id ?? "", name, response: readResult(text) } };
}

function readArguments(json: string, param: string): JsonObject {
  const value = json.trim() === "" ? {} : parse(json);
  if (isObject(value)) return value;
  throw refused(param, "The arguments of a tool call must be a JSON object. Send them as the model returned them.");
}

/** The API takes an object. Long digits stay text, since the API reads an object's numbers as doubles. */
function readResult(text: string): JsonObject {
  const value = /^\s*\{/.test(text) && !/\d{16}/.test(text) ? parse(text) : undefined;
  return isObject(value) ? value : { output: text };
}

function parse(json: string): unknown {
  try {
    return parseExactJson(json);
  } catch {
    return undefined;
  }
}
