import {
  type ChatMessage,
  isNoArguments,
  type JsonObject,
  parseLosslessJson,
  type ToolCall,
} from "@tollgate/core/provider";
import { textParts } from "./content-parts.ts";
import type { FunctionCallPart, FunctionResponsePart } from "./gemini-request.ts";
import { isObject } from "./json.ts";
import { needsSignatures } from "./model-generation.ts";
import { refused } from "./refused.ts";
import { placeholderSignature, signatureOf } from "./thought-signature.ts";

/**
 * Maps the tool calls of an assistant message. Google signs only the first of parallel calls. If none has a signature,
 * the first call gets a placeholder for the models that would reject it without one.
 */
export function callParts(calls: readonly ToolCall[], model: string, param: string): FunctionCallPart[] {
  const unsigned = needsSignatures(model) && calls.every((call) => signatureOf(call) === undefined);
  return calls.map((call, index) => {
    const signature = signatureOf(call) ?? (unsigned && index === 0 ? placeholderSignature : undefined);
    const args = readArguments(call.function.arguments, `${param}.${index}.function.arguments`);
    return {
      functionCall: { id: call.id, name: call.function.name, args },
      ...(signature === undefined ? {} : { thoughtSignature: signature }),
    };
  });
}

/** Maps the result of the tool with this name. */
export function responsePart(message: ChatMessage, name: string, param: string): FunctionResponsePart {
  const text = textParts(message.content, `${param}.content`)
    .map((part) => part.text)
    .join("");
  return { functionResponse: { id: message.tool_call_id ?? "", name, response: readResult(text) } };
}

function readArguments(json: string, param: string): JsonObject {
  const value = isNoArguments(json) ? {} : parse(json);
  if (isObject(value)) return value;
  throw refused(param, "The arguments of a tool call must be a JSON object. Send them as the model returned them.");
}

/** The API expects an object. A result with long numbers stays text, since the API reads an object's numbers as doubles. */
function readResult(text: string): JsonObject {
  const value = /^\s*\{/.test(text) && !/\d{16}/.test(text) ? parse(text) : undefined;
  return isObject(value) ? value : { output: text };
}

function parse(json: string): unknown {
  try {
    return parseLosslessJson(json);
  } catch {
    return undefined;
  }
}
