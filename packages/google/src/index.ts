export type { SafetySetting } from "./gemini-request.ts";
export { google } from "./google.ts";
export type { GoogleOptions } from "./google-endpoint.ts";
