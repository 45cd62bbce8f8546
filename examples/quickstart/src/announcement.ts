import { dirname } from "node:path";
import { assistantId } from "./assistant.ts";
import { conversation } from "./conversation.ts";
import { modelIds } from "./offer.ts";
import { type ByScenario, scenarioNames, scenarios } from "./scenarios.ts";
import type { QuickstartStores } from "./stores.ts";
import { termsPath } from "./terms.ts";

/** The data that a person needs to try the quickstart. */
export interface Started {
  /** The origin of the server, such as http://127.0.0.1:8787. */
  readonly origin: string;
  /** The base URL of the router API. */
  readonly router: string;
  readonly keys: ByScenario<string>;
  /** Describes the provider in a sentence. */
  readonly description: string;
  /** The location of the database. */
  readonly stores: Pick<QuickstartStores, "file" | "isElsewhere">;
}

/** Returns the announcement for programs: one line of JSON. */
export const announceAsJson = ({ origin, router, keys }: Started): string =>
  JSON.stringify({ router, keys, models: modelIds, sessions: origin, assistant: assistantId });

/** Returns the text that the quickstart prints at its start: keys, curl commands and a snippet, all ready to paste. */
export function announce(started: Started): string {
  return [
    `Tollgate is mounted at ${started.router}`,
    started.description,
    "",
    "Demo keys, which are new at each start:",
    ...keyTable(started.keys),
    "",
    "Models:",
    ...modelTable(),
    "",
    ...curlLines(started).flatMap(([title, line]) => [`# ${title}`, line, ""]),
    ...conversation(started),
    "",
    "# The official OpenAI client: save as hello.mjs, then npm install openai && node hello.mjs",
    ...clientSnippet(started),
    "",
    ...operatorLines(started),
    "",
    `Data is kept in ${started.stores.file}. To start over, stop the quickstart and remove quickstart.db* there.`,
    "Ctrl-C stops the server after running requests have finished, for which they have 10 seconds.",
  ].join("\n");
}

function keyTable(keys: Started["keys"]): readonly string[] {
  const width = Math.max(...scenarioNames.map((name) => keys[name].length));
  return scenarioNames.map((name) => {
    const { expect, description } = scenarios[name];
    return `  ${name.padEnd(12)}  ${keys[name].padEnd(width)}  ${expect.padEnd(13)}  ${description}`;
  });
}

function modelTable(): readonly string[] {
  const descriptions: Readonly<Record<keyof typeof modelIds, string>> = {
    plain: "accepts images and tools",
    reasoning: 'reasons, with "reasoning_effort": "low", "medium" or "high"',
    hidden: "available only to the subscription key; 404 with every other key",
  };
  return modelNames.map((name) => `  ${modelIds[name].padEnd(12)}  ${descriptions[name]}`);
}

const modelNames = ["plain", "reasoning", "hidden"] as const;

/** The curl commands, each with a title that begins with the status of its response. */
export function curlLines({ origin, router, keys }: Started): readonly (readonly [string, string])[] {
  const chat = (key: string, body: object) =>
    `${router}/chat/completions -H 'Authorization: Bearer ${key}' -H 'Content-Type: application/json' -d '${JSON.stringify(body)}'`;
  const messages = [{ role: "user", content: "Hello from curl" }];
  const hello = { model: modelIds.plain, messages };
  const status = "curl -s -w '\\n%{http_code}\\n'";
  return [
    ["200: list the models", `curl -s ${router}/models -H 'Authorization: Bearer ${keys.prepaid}'`],
    ["200: a completion", `curl -s ${chat(keys.prepaid, hello)}`],
    ["200: a stream", `curl -sN ${chat(keys.prepaid, { ...hello, stream: true })}`],
    ["400: no messages", `${status} ${chat(keys.prepaid, { model: modelIds.plain, messages: [] })}`],
    ["401: an unknown key", `${status} ${chat("tg_unknown", hello)}`],
    ["401: an expired key", `${status} ${chat(keys.expired, hello)}`],
    ["401: a revoked key", `${status} ${chat(keys.revoked, hello)}`],
    ["402: no balance", `${status} ${chat(keys.empty, hello)}`],
    [
      "403: response_format on a subscription",
      `${status} ${chat(keys.subscription, { ...hello, response_format: { type: "json_object" } })}`,
    ],
    [
      "404: a model that the key may not use",
      `${status} ${chat(keys.restricted, { ...hello, model: modelIds.reasoning })}`,
    ],
    [
      "413: a body over 20 MiB",
      `head -c 21000000 /dev/zero | ${status} ${router}/chat/completions -H 'Authorization: Bearer ${keys.prepaid}' -H 'Content-Type: application/json' --data-binary @-`,
    ],
    ["428: the terms are not accepted", `${status} ${chat(keys.terms, hello)}`],
    [
      `200: accept them (or open ${origin}${termsPath} in a browser), then send the request again`,
      `${status} -X POST ${origin}${termsPath}`,
    ],
    [
      "429: the sixth request in a minute",
      `for i in 1 2 3 4 5 6; do curl -s -o /dev/null -w '%{http_code}\\n' ${chat(keys.limited, hello)}; done`,
    ],
  ];
}

/** Commands of the command line, which works on the same file. */
function operatorLines({ origin, stores }: Started): readonly string[] {
  const folder = stores.isElsewhere ? `QUICKSTART_DATA='${dirname(stores.file)}' ` : "";
  return [
    "# Create your own key, which later starts keep, and accept the terms for its account",
    `${folder}npm run -s tollgate -- keys create --account acme --plan subscription`,
    `curl -s -X POST '${origin}${termsPath}?account=acme'`,
    "",
    "# List all commands for keys, balances and the ledger",
    `${folder}npm run -s tollgate -- --help`,
  ];
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
