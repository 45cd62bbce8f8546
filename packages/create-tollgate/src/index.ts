export type { App } from "./app.ts";
export { appFiles } from "./app-files.ts";
export { type AppChoices, choices } from "./choices.ts";
