import type { ResponseItem } from "../../../ports/response-store.ts";
import type { Awaitable } from "../../../runtime/awaitable.ts";
import { startNow } from "../../../runtime/take-turns.ts";
import { withinLimits } from "../../../steps/parse-request.ts";
import { encodeUtf8 } from "../../../wire/bytes.ts";
import { isJsonObject, type Json } from "../../../wire/json.ts";
import { budgetOf, limitOf, skipValue } from "../../../wire/json-skip.ts";
import { parseInSteps, valuesAtOnce } from "../../../wire/parse-in-steps.ts";
import type { InputItem } from "./input-items.ts";

/** Items of so many bytes together are parsed in one step. */
const bytesInStep = 65_536;

/**
 * Parses stored items, long ones in steps, within the limits of a body for all of them, since a conversation has the items of
 * many bodies. `param` refers to them in errors.
 */
export const parseStoredItems = (items: readonly ResponseItem[], param: string): Awaitable<readonly InputItem[]> =>
  startNow(parseAll(items, param));

function* parseAll(items: readonly ResponseItem[], param: string): Generator<undefined, InputItem[]> {
  const budget = budgetOf({});
  const parsed: InputItem[] = [];
  let [bytes, values] = [0, budget.values];
  for (const { json } of items) {
    bytes += json.length;
    const before = budget.values;
    const exceeded = limitOf(skipValue(encodeUtf8(json), 0, budget));
    if (exceeded !== undefined) withinLimits({ exceeded }, { name: "The stored conversation", param });
    const isLong = before - budget.values > valuesAtOnce;
    if (isLong || bytes > bytesInStep || values - budget.values > valuesAtOnce) {
      yield;
      [bytes, values] = [0, budget.values];
    }
    parsed.push(toInput(isLong ? yield* parseInSteps(json) : JSON.parse(json)));
  }
  return parsed;
}

const toInput = (item: Json): InputItem => (isJsonObject(item) ? item : {});
