import { dirname } from "node:path";
import { assistantId } from "./assistant.ts";
import type { ByScenario } from "./demonstration/scenarios.ts";
import { modelIds } from "./offer.ts";
import type { QuickstartStores } from "./stores.ts";

/** The address of the dashboard and a login, which HTTP Basic accepts too. */
export interface Dashboard {
  readonly url: string;
  readonly user: string;
  readonly password: string;
  /** True at the first start, at which the password is printed. */
  readonly isNew: boolean;
}

/** The data that a person needs to try the quickstart. */
export interface Started {
  /** The origin of the server, such as http://127.0.0.1:8787. */
  readonly origin: string;
  /** The base URL of the router API. */
  readonly router: string;
  /** The base URL for clients of Anthropic, which append "/v1/messages". */
  readonly anthropic: string;
  readonly keys: ByScenario<string>;
  /** Describes the provider in a sentence. */
  readonly description: string;
  /** The location of the database. */
  readonly stores: Pick<QuickstartStores, "file" | "isElsewhere">;
  readonly dashboard: Dashboard;
  /** The file with all demo keys as shell variables. */
  readonly environmentFile: string;
}

/** Returns the announcement for programs: one line of JSON. */
export function announceAsJson({ origin, router, anthropic, keys, dashboard: { isNew: _, ...dashboard } }: Started) {
  return JSON.stringify({
    router,
    anthropic,
    keys,
    models: modelIds,
    sessions: origin,
    assistant: assistantId,
    dashboard,
  });
}

/** Returns the text that the quickstart prints at its start: one screen with a key, a request and a snippet to paste. */
export function announce(started: Started): string {
  const { router, anthropic, keys, description, stores, environmentFile, dashboard } = started;
  const folder = stores.isElsewhere ? `QUICKSTART_DATA='${dirname(stores.file)}' ` : "";
  return [
    `Dashboard  ${dashboard.url}`,
    `           user ${dashboard.user}, password ${dashboard.isNew ? dashboard.password : "as at the first start"}`,
    `Router     ${router}`,
    `           ${anthropic} for clients of Anthropic, such as Claude Code`,
    `           ${description}`,
    `API key    ${keys.prepaid}`,
    "",
    "# A completion",
    completionLine(started),
    "",
    "# The official OpenAI client: save as hello.mjs, then npm install openai && node hello.mjs",
    ...clientSnippet(started),
    "",
    `Keys, password   ${environmentFile}; docs/guides/try-every-status.md uses the keys`,
    `Command line     ${folder}npm run -s tollgate -- --help`,
    `Data             ${stores.file}; to start over, stop the quickstart and remove quickstart.* there`,
    "Ctrl-C stops the server after running requests have finished, for which they have 10 seconds.",
  ].join("\n");
}

function completionLine({ router, keys }: Started): string {
  const body = { model: modelIds.plain, messages: [{ role: "user", content: "Hello from curl" }] };
  return `curl -s ${router}/chat/completions -H 'Authorization: Bearer ${keys.prepaid}' -H 'Content-Type: application/json' -d '${JSON.stringify(body)}'`;
}

function clientSnippet({ router, keys }: Started): readonly string[] {
  return [
    `import OpenAI from "openai";`,
    `const client = new OpenAI({ baseURL: "${router}", apiKey: "${keys.prepaid}" });`,
    `const messages = [{ role: "user", content: "Hello from the client" }];`,
    `const stream = await client.chat.completions.create({ model: "${modelIds.plain}", messages, stream: true });`,
    `for await (const chunk of stream) process.stdout.write(chunk.choices[0]?.delta.content ?? "");`,
  ];
}
