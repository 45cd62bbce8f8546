import { isExactNumber, type JsonObject, type ToolCall, writeExactJson } from "@tollgate/core/provider";
import { objectAt, objectsOf, textAt } from "./json.ts";
import { type SignatureMembers, signatureMembers } from "./thought-signature.ts";

/** What the parts of a candidate say. */
export interface CandidateOutput {
  readonly text: string;
  readonly thoughts: string;
  readonly calls: readonly ToolCall[];
  /** The members that bring the signature of the text back; that of a call is on the call. */
  readonly signature: SignatureMembers;
}

/** Reads the parts of a candidate of an answer or a frame. Parts of other kinds, such as executed code, are left out. */
export function readOutput(candidate: JsonObject): CandidateOutput {
  const parts = objectsOf(objectAt(candidate, "content")?.["parts"]);
  const spoken = parts.filter((part) => part["thought"] !== true && part["functionCall"] === undefined);
  const signature = spoken.map((part) => textAt(part, "thoughtSignature")).findLast((each) => each !== undefined);
  return {
    text: joined(spoken),
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
      // Older models give none.
      id: textAt(call, "id") ?? `call_${crypto.randomUUID().replaceAll("-", "")}`,
      type: "function",
      function: { name, arguments: writeExactJson(objectAt(call, "args") ?? {}) },
      ...signatureMembers(textAt(part, "thoughtSignature")),
    },
  ];
}

/** The place of a candidate among several; the API leaves the first one's out. */
export function indexOf(candidate: JsonObject, position: number): number {
  const index = isExactNumber(candidate["index"]) ? Number(candidate["index"]) : candidate["index"];
  return typeof index === "number" && Number.isSafeInteger(index) && index >= 0 ? index : position;
}
