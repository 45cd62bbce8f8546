import type { App } from "./app.ts";
import { type AppChoices, variablesOf } from "./choices.ts";
import { writeManifest } from "./manifest.ts";
import { pieces, tsconfig } from "./pieces.generated.ts";
import { writeReadme } from "./readme.ts";

/** Returns the text of every file of an app, by its path. */
export function appFiles(app: App): Readonly<Record<string, string>> {
  return {
    ".env": environmentFile(app, app.password),
    ".env.example": environmentFile(app, ""),
    ".gitignore": ["node_modules/", ".env", ...(app.store === "sqlite" ? [".tollgate/"] : []), ""].join("\n"),
    "README.md": writeReadme(app),
    "package.json": writeManifest(app),
    ...sources(app),
    ...(app.language === "ts" ? { "tsconfig.json": tsconfig } : {}),
  };
}

function sources({ framework, language, store, provider }: AppChoices): Readonly<Record<string, string>> {
  const files = {
    dashboard: pieces["shared/dashboard"],
    environment: pieces["shared/environment"],
    "first-key": pieces["shared/first-key"],
    gateway: pieces["shared/gateway"],
    main: pieces[`framework/${framework === "node:http" ? "node-http" : framework}`],
    provider: pieces[`provider/${provider}`],
    run: pieces["shared/run"],
    stores: pieces[`store/${store}`],
  };
  return Object.fromEntries(Object.entries(files).map(([name, piece]) => [`src/${name}.${language}`, piece[language]]));
}

const environmentFile = (chosen: AppChoices, password: string): string =>
  Object.entries({ DASHBOARD_PASSWORD: password, ...variablesOf(chosen), PORT: "8787" })
    .map(([name, value]) => `${name}=${value}\n`)
    .join("");
