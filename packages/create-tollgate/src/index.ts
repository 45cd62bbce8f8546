export { appFiles } from "./app-files.ts";
export { type App, type AppChoices, choices } from "./choices.ts";
