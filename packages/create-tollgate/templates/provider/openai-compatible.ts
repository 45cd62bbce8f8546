import { openaiCompatible, type Target } from "@tollgate/core";
import { readVariable } from "./environment.ts";

export const target: Target = {
  provider: openaiCompatible({ baseURL: readVariable("OPENAI_BASE_URL"), apiKey: readVariable("OPENAI_API_KEY") }),
  model: readVariable("OPENAI_MODEL"),
};
