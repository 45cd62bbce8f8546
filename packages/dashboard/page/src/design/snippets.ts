/** A ready-made example of a first request. */
export interface Snippet {
  readonly name: string;
  readonly code: string;
}

interface SnippetInput {
  readonly baseUrl: string;
  readonly secret: string;
  readonly model: string;
}

/** The snippets of each dialect that the router may serve. */
const byDialect: Readonly<Record<string, (input: SnippetInput) => readonly Snippet[]>> = {
  chat: ({ baseUrl, secret, model }) => [
    {
      name: "curl",
      code: [
        `curl ${shell(`${baseUrl}/chat/completions`)} \\`,
        `  -H ${shell(`Authorization: Bearer ${secret}`)} \\`,
        `  -H 'Content-Type: application/json' \\`,
        `  -d ${shell(JSON.stringify({ model, messages: [{ role: "user", content: "Hello" }] }))}`,
      ].join("\n"),
    },
    {
      name: "OpenAI SDK",
      code: [
        `import OpenAI from "openai";`,
        "",
        `const client = new OpenAI({`,
        `  baseURL: ${JSON.stringify(baseUrl)},`,
        `  apiKey: ${JSON.stringify(secret)},`,
        `});`,
        `const completion = await client.chat.completions.create({`,
        `  model: ${JSON.stringify(model)},`,
        `  messages: [{ role: "user", content: "Hello" }],`,
        `});`,
        `console.log(completion.choices[0].message.content);`,
      ].join("\n"),
    },
  ],
};

/** Returns the snippets for the dialects that are served. */
export const snippetsFor = (served: readonly string[], input: SnippetInput): readonly Snippet[] =>
  served.flatMap((dialect) => byDialect[dialect]?.(input) ?? []);

/** Quotes a word for a POSIX shell. */
export const shell = (word: string): string => `'${word.replaceAll("'", `'\\''`)}'`;
