import * as v from "valibot";
import { openObject } from "../../../wire/open-object.ts";
import { byType, isOf } from "../../../wire/shape-choices.ts";
import { flag, object, text } from "../../../wire/value-schemas.ts";

const functionTool = openObject({
  type: v.literal("function"),
  name: text,
  description: v.nullish(text),
  parameters: v.nullish(object),
  strict: v.nullish(flag),
});
const customTool = openObject({
  type: v.literal("custom"),
  name: text,
  description: v.nullish(text),
  format: v.nullish(object),
});
const otherTool = openObject({ type: text });

/** A function that the model may call. */
export type FunctionTool = v.InferOutput<typeof functionTool>;

/** A tool that the model calls with a text. */
export type CustomTool = v.InferOutput<typeof customTool>;

/** A tool of any type. */
export type ResponseTool = v.InferOutput<typeof otherTool>;

/** The schema of a tool, which may be a namespace of tools. */
export const responseTool: v.GenericSchema<unknown, ResponseTool> = byType(
  [functionTool, customTool, openObject({ type: v.literal("web_search") })],
  otherTool,
  {
    lists: { tools: () => responseTool },
    // Members of the tools that an upstream runs, which have a price of their own. An image may have a background.
    allows: ["background", "container", "vector_store_ids"],
  },
);

/** True for a function. */
export const isFunctionTool = isOf(functionTool);

/** True for a custom tool. */
export const isCustomTool = isOf(customTool);
