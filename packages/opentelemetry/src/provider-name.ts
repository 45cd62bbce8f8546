import { value } from "./conventions.ts";

/** Returns the name of a provider in telemetry. */
export type ProviderName = (provider: string) => string;

/** The name that the conventions require for the provider of `@tollgate/google`; other names stay as they are. */
export const conventionalName: ProviderName = (provider) => (provider === "google" ? value.gemini : provider);
