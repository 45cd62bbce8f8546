/** The APIs that clients can speak: OpenAI's Chat Completions, Responses and Embeddings, and Anthropic's Messages. */
export const dialects = ["chat", "responses", "messages", "embeddings"] as const;

/** The API that a client speaks. */
export type Dialect = (typeof dialects)[number];

/** True for the name of a dialect. */
export const isDialect = (name: string): name is Dialect => dialects.some((dialect) => dialect === name);

/** A dialect that some upstreams speak as well. Requests in it are sent to them unchanged where possible. */
export type NativeDialect = Exclude<Dialect, "chat">;

/** The endpoint of each dialect that calls a model: its name in events, and its path. The method is POST. */
export const dialectEndpoints = {
  chat: { name: "chat.completions", path: "/chat/completions" },
  responses: { name: "responses", path: "/responses" },
  messages: { name: "messages", path: "/messages" },
  embeddings: { name: "embeddings", path: "/embeddings" },
} as const satisfies Readonly<Record<Dialect, { readonly name: string; readonly path: string }>>;
