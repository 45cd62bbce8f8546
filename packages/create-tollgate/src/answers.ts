import type { AppChoices } from "./choices.ts";

/** Everything that must be known before an app is written. */
export interface Answers extends AppChoices {
  /** Relative to the working directory, or absolute. */
  readonly folder: string;
}
