import { type ChatCompletionRequest, writeLosslessJson } from "@tollgate/core/provider";
import type { OutputConfig, TextBlock } from "./messages-api.ts";
import type { StrictBudget } from "./strict-budget.ts";

/** A response format for the API: an output format, or an instruction for `system`. */
export interface Format {
  readonly format?: OutputConfig["format"];
  readonly instruction?: TextBlock;
}

/**
 * Maps `response_format` to structured output. The API has no format for an arbitrary JSON object, and its newer models
 * reject a forced tool, so `json_object` becomes an instruction, and so does a schema that strict output cannot express
 * or that is too complex for it.
 * Follows https://platform.claude.com/docs/en/build-with-claude/structured-outputs
 */
export function toFormat({ response_format: requested }: ChatCompletionRequest, budget: StrictBudget): Format {
  if (requested == null) return {};
  if (requested.type === "json_object") return { instruction: { type: "text", text: onlyJson } };
  const { schema } = requested.json_schema;
  const strict = budget.addFormat(schema);
  if (strict !== undefined) return { format: { type: "json_schema", schema: strict } };
  return {
    instruction: { type: "text", text: `${onlyJson} It must match this JSON Schema:\n${writeLosslessJson(schema)}` },
  };
}

const onlyJson =
  "Answer with one valid JSON object and nothing else: no words before or after it, and no Markdown around it.";
