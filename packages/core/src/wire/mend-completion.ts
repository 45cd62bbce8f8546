import { isJsonObject } from "./json.ts";
import { readUsage, type Usage } from "./usage.ts";
export function mendCompletion(
  value: unknown,
  o: { model: string; id: string; created: number },
): { completion: Record<string, unknown>; usage: Usage | undefined; outputBytes: number } | undefined {
  if (!isJsonObject(value) || !Array.isArray(value["choices"]) || value["choices"].length === 0) return undefined;
  return {
    completion: { system_fingerprint: null, ...value, object: "chat.completion", model: o.model },
    usage: readUsage(value["usage"]),
    outputBytes: 10,
  };
}
