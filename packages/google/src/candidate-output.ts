import { isLosslessNumber, type JsonObject, type ToolCall, writeLosslessJson } from "@tollgate/core/provider";
import { objectAt, objectsOf, textAt } from "./json.ts";
import { type SignatureMembers, signatureMembers } from "./thought-signature.ts";

/** The content of a candidate's parts. */
export interface CandidateOutput {
  readonly text: string;
  readonly thoughts: string;
  readonly calls: readonly ToolCall[];
  /** The members with the signature of the text. A call has its own signature. */
  readonly signature: SignatureMembers;
}

/** Reads the parts of a candidate of an answer or a frame. Other types of parts, such as executed code, are left out. */
export function readOutput(candidate: JsonObject): CandidateOutput {
  const parts = objectsOf(objectAt(candidate, "content")?.["parts"]);
  const texts = parts.filter((part) => part["thought"] !== true && part["functionCall"] === undefined);
  const signature = texts.map((part) => textAt(part, "thoughtSignature")).findLast((each) => each !== undefined);
  return {
    text: joined(texts),
    thoughts: joined(parts.filter((part) => part["thought"] === true)),
    calls: parts.flatMap(readCall),
    signature: signatureMembers(signature),
  };
}

const joined = (parts: readonly JsonObject[]): string => parts.map((part) => textAt(part, "text") ?? "").join("");

function readCall(part: JsonObject): ToolCall[] {
  const call = objectAt(part, "functionCall");
  const name = call && textAt(call, "name");
  if (call === undefined || name === undefined) return [];
  return [
    {
      // Older models send no id.
      id: textAt(call, "id") ?? `call_${crypto.randomUUID().replaceAll("-", "")}`,
      type: "function",
      function: { name, arguments: writeLosslessJson(objectAt(call, "args") ?? {}) },
      ...signatureMembers(textAt(part, "thoughtSignature")),
    },
  ];
}

/** Returns the index of a candidate. The API omits the index 0. */
export function indexOf(candidate: JsonObject, position: number): number {
  const index = isLosslessNumber(candidate["index"]) ? Number(candidate["index"]) : candidate["index"];
  return typeof index === "number" && Number.isSafeInteger(index) && index >= 0 ? index : position;
}
