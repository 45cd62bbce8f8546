/** Something to choose: its name for people, and what the app needs for it. */
interface Choice {
  readonly label: string;
  /** Packages of npm. */
  readonly dependencies: readonly string[];
  /** Packages with the types of others, for TypeScript. */
  readonly types?: readonly string[];
  /** Variables of `.env`. An empty one is for the user to fill in. */
  readonly environment?: Readonly<Record<string, string>>;
}

/** What mounts the gateway. */
const frameworks = {
  express: { label: "Express", dependencies: ["@tollgate/express", "express"], types: ["@types/express"] },
  fastify: { label: "Fastify", dependencies: ["@tollgate/fastify", "fastify"] },
  hono: { label: "Hono", dependencies: ["@tollgate/hono", "@hono/node-server", "hono"] },
  "node:http": { label: "node:http, without a framework", dependencies: [] },
} satisfies Readonly<Record<string, Choice>>;

/** The language of the files. */
const languages = {
  ts: { label: "TypeScript" },
  js: { label: "JavaScript" },
} as const;

/** Where keys, balances and usage are kept. */
const stores = {
  memory: { label: "Memory, which is lost at each restart", dependencies: [] },
  sqlite: {
    label: "SQLite, in a file",
    dependencies: ["@tollgate/sqlite", "@photostructure/sqlite"],
    environment: { DATABASE_FILE: ".tollgate/app.db" },
  },
  postgres: {
    label: "PostgreSQL",
    dependencies: ["@tollgate/postgres", "pg"],
    types: ["@types/pg"],
    environment: { DATABASE_URL: "postgres://postgres:postgres@127.0.0.1:5432/postgres" },
  },
} satisfies Readonly<Record<string, Choice>>;

/** What answers requests. */
const providers = {
  offline: { label: "Offline: repeats your message, without a model", dependencies: [] },
  "openai-compatible": {
    label: "OpenAI, or a compatible API",
    dependencies: [],
    environment: { OPENAI_BASE_URL: "https://api.openai.com/v1", OPENAI_API_KEY: "", OPENAI_MODEL: "gpt-5-mini" },
  },
  anthropic: {
    label: "Anthropic",
    dependencies: ["@tollgate/anthropic"],
    environment: { ANTHROPIC_API_KEY: "", ANTHROPIC_MODEL: "claude-sonnet-4-5" },
  },
  google: {
    label: "Google Gemini",
    dependencies: ["@tollgate/google"],
    environment: { GEMINI_API_KEY: "", GEMINI_MODEL: "gemini-2.5-pro" },
  },
} satisfies Readonly<Record<string, Choice>>;

/** The parts of an app that can be chosen. */
export interface AppChoices {
  readonly framework: keyof typeof frameworks;
  readonly language: keyof typeof languages;
  readonly store: keyof typeof stores;
  readonly provider: keyof typeof providers;
}

/** The options of each choice, by the name of its flag. */
export const choices = { framework: frameworks, language: languages, store: stores, provider: providers } as const;

/** What `--yes` chooses, and where the questions start. */
export const defaults: AppChoices = { framework: "express", language: "ts", store: "sqlite", provider: "offline" };

/** The name of a choice. */
export type ChoiceName = keyof AppChoices;

/** Returns true if a text is one of the options of a choice. */
export const isOption = <Name extends ChoiceName>(name: Name, value: string): value is AppChoices[Name] =>
  Object.hasOwn(choices[name], value);

/** The three choices that bring packages and variables. */
export function partsOf({ framework, store, provider }: AppChoices): readonly Choice[] {
  return [frameworks[framework], stores[store], providers[provider]];
}

/** Returns the variables of `.env` that an app needs for its parts, with their values. */
export const variablesOf = (chosen: AppChoices): Readonly<Record<string, string>> =>
  Object.fromEntries(partsOf(chosen).flatMap(({ environment = {} }) => Object.entries(environment)));

/** Returns the names of the variables that the user has to set. */
export const missingVariables = (chosen: AppChoices): readonly string[] =>
  Object.entries(variablesOf(chosen)).flatMap(([name, value]) => (value === "" ? [name] : []));

/** Everything that must be known before an app is written. */
export interface Answers extends AppChoices {
  /** Relative to the working directory, or absolute. */
  readonly folder: string;
}

/** An app to write. */
export interface App extends AppChoices {
  /** The name of its package. */
  readonly name: string;
  /** The password of the dashboard, of at least 8 characters. */
  readonly password: string;
}

/** What the files that are in Git may contain. */
export type PublicApp = Omit<App, "password">;
