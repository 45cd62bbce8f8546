import { anthropic } from "@tollgate/anthropic";
import type { Target } from "@tollgate/core";

export const target: Target = {
  provider: anthropic({ apiKey: process.env["ANTHROPIC_API_KEY"] ?? "" }),
  model: "claude-sonnet-4-5",
};
