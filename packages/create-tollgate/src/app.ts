import type { AppChoices } from "./choices.ts";

/** An app to write. */
export interface App extends AppChoices {
  /** The name of its package. */
  readonly name: string;
  /** The password of the dashboard, of at least 8 characters. */
  readonly password: string;
}

/** What the files that are in Git may contain. */
export type PublicApp = Omit<App, "password">;
