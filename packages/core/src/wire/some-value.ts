import { isJsonObject } from "./json.ts";

/** True if the value or a value inside it, at any depth, passes the test. Stops at the first value that passes. */
export function someValue(root: unknown, passes: (value: unknown) => boolean): boolean {
  // Not recursive, since JSON.parse accepts any depth. Object.values would take three times as long.
  const left: unknown[] = [root];
  while (left.length > 0) {
    const value = left.pop();
    if (passes(value)) return true;
    if (Array.isArray(value)) for (const item of value) left.push(item);
    else if (isJsonObject(value)) for (const name in value) left.push(value[name]);
  }
  return false;
}
