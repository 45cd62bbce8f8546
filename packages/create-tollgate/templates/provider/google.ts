import type { Target } from "@tollgate/core";
import { google } from "@tollgate/google";
import { readVariable } from "./environment.ts";

export const target: Target = {
  provider: google({ apiKey: readVariable("GEMINI_API_KEY") }),
  model: readVariable("GEMINI_MODEL"),
};
