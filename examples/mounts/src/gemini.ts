import type { Target } from "@tollgate/core";
import { google } from "@tollgate/google";

export const target: Target = {
  provider: google({ apiKey: process.env["GEMINI_API_KEY"] ?? "" }),
  model: "gemini-2.5-pro",
};
