/** The ready-made examples of first requests to one API. */
export interface ApiSnippets {
  readonly api: string;
  readonly snippets: readonly { readonly name: string; readonly code: string }[];
}

interface SnippetInput {
  /** The URL of the router, as clients of OpenAI take it. */
  readonly baseUrl: string;
  readonly secret: string;
  readonly model: string;
}

const messages = [{ role: "user", content: "Hello" }];

/** The snippets of each dialect that the router may serve. */
const byDialect: Readonly<Record<string, (input: SnippetInput) => ApiSnippets>> = {
  chat: (input) => ({
    api: "Chat Completions",
    snippets: [
      curl(input, "/chat/completions", { model: input.model, messages }),
      openai(input, [
        `const completion = await client.chat.completions.create({`,
        `  model: ${JSON.stringify(input.model)},`,
        `  messages: [{ role: "user", content: "Hello" }],`,
        `});`,
        `console.log(completion.choices[0].message.content);`,
      ]),
    ],
  }),
  responses: (input) => ({
    api: "Responses",
    snippets: [
      curl(input, "/responses", { model: input.model, input: "Hello" }),
      openai(input, [
        `const response = await client.responses.create({`,
        `  model: ${JSON.stringify(input.model)},`,
        `  input: "Hello",`,
        `});`,
        `console.log(response.output_text);`,
      ]),
    ],
  }),
  messages: (input) => ({
    api: "Messages",
    snippets: [
      curl(input, "/messages", { model: input.model, max_tokens: 1024, messages }, ["anthropic-version: 2023-06-01"]),
      anthropic(input),
    ],
  }),
  embeddings: (input) => ({
    api: "Embeddings",
    snippets: [
      curl(input, "/embeddings", { model: input.model, input: "Hello" }),
      openai(input, [
        `const { data } = await client.embeddings.create({`,
        `  model: ${JSON.stringify(input.model)},`,
        `  input: "Hello",`,
        `});`,
        `console.log(data[0].embedding);`,
      ]),
    ],
  }),
};

function curl(input: SnippetInput, path: string, body: object, headers: readonly string[] = []) {
  const code = [
    `curl ${shell(input.baseUrl + path)} \\`,
    ...[`Authorization: Bearer ${input.secret}`, "Content-Type: application/json", ...headers].map(
      (header) => `  -H ${shell(header)} \\`,
    ),
    `  -d ${shell(JSON.stringify(body))}`,
  ];
  return { name: "curl", code: code.join("\n") };
}

function openai({ baseUrl, secret }: SnippetInput, request: readonly string[]) {
  const code = [`import OpenAI from "openai";`, "", ...client("OpenAI", baseUrl, secret), ...request];
  return { name: "OpenAI SDK", code: code.join("\n") };
}

/** Clients of Anthropic append "/v1/messages" to their base URL. */
function anthropic({ baseUrl, secret, model }: SnippetInput) {
  const code = [
    `import Anthropic from "@anthropic-ai/sdk";`,
    "",
    ...client("Anthropic", baseUrl.replace(/\/v1$/, ""), secret),
    `const message = await client.messages.create({`,
    `  model: ${JSON.stringify(model)},`,
    `  max_tokens: 1024,`,
    `  messages: [{ role: "user", content: "Hello" }],`,
    `});`,
    `console.log(message.content);`,
  ];
  return { name: "Anthropic SDK", code: code.join("\n") };
}

const client = (name: string, baseUrl: string, secret: string): readonly string[] => [
  `const client = new ${name}({`,
  `  baseURL: ${JSON.stringify(baseUrl)},`,
  `  apiKey: ${JSON.stringify(secret)},`,
  `});`,
];

/** Returns the snippets for the dialects that are served. `modelOf` returns a model that serves a dialect; those without one are left out. */
export const snippetsFor = (
  served: readonly string[],
  input: Omit<SnippetInput, "model">,
  modelOf: (dialect: string) => string | undefined,
): readonly ApiSnippets[] =>
  served.flatMap((dialect) => {
    const model = modelOf(dialect);
    return model === undefined ? [] : (byDialect[dialect]?.({ ...input, model }) ?? []);
  });

/** Quotes a word for a POSIX shell. */
export const shell = (word: string): string => `'${word.replaceAll("'", `'\\''`)}'`;
