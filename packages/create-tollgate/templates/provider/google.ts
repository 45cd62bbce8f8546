import type { Target } from "@tollgate/core";
import { google } from "@tollgate/google";
import { readVariable } from "../shared/environment.ts";

export const target: Target = {
  provider: google({ apiKey: readVariable("GEMINI_API_KEY") }),
  model: readVariable("GEMINI_MODEL"),
};
