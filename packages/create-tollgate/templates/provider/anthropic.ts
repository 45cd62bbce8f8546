import { anthropic } from "@tollgate/anthropic";
import type { Target } from "@tollgate/core";
import { readVariable } from "./environment.ts";

export const target: Target = {
  provider: anthropic({ apiKey: readVariable("ANTHROPIC_API_KEY") }),
  model: readVariable("ANTHROPIC_MODEL"),
};
