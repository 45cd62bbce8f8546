import OpenAI, { APIError } from "openai";
import { type Form, publicModel, type Scene } from "./scene.ts";

/** A whole HTTP answer. */
export interface ClientAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: string;
}

/** What a client of one kind or the other has heard. */
export type Asked =
  | { readonly by: "fetch"; readonly answer: ClientAnswer }
  | {
      readonly by: "openai";
      readonly text: string;
      /** What the client has thrown. */
      readonly error: { readonly status: number | undefined; readonly code: unknown } | undefined;
    };

const messages = [{ role: "user" as const, content: "Say something, please, and take your time." }];

/** What is sent, byte for byte. */
export const requestBody = (form: Form): string =>
  JSON.stringify({ model: publicModel, messages, stream: form === "streamed" });

/** Asks by fetch, and takes the answer as it is. */
export async function askByFetch({ baseURL, secret }: Scene, form: Form): Promise<Asked> {
  const response = await fetch(`${baseURL}/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${secret}`, "content-type": "application/json", connection: "close" },
    body: requestBody(form),
  });
  const { status, headers } = response;
  return { by: "fetch", answer: { status, headers, body: await response.text() } };
}

/** Asks by the official client, which tries once. */
export async function askByOpenAI({ baseURL, secret }: Scene, form: Form): Promise<Asked> {
  const client = new OpenAI({ baseURL, apiKey: secret, maxRetries: 0, defaultHeaders: { connection: "close" } });
  const heard: string[] = [];
  try {
    if (form === "whole") {
      const { choices } = await client.chat.completions.create({ model: publicModel, messages, stream: false });
      heard.push(choices[0]?.message.content ?? "");
    } else {
      const stream = await client.chat.completions.create({ model: publicModel, messages, stream: true });
      for await (const chunk of stream) heard.push(chunk.choices[0]?.delta.content ?? "");
    }
    return { by: "openai", text: heard.join(""), error: undefined };
  } catch (error) {
    if (!(error instanceof APIError)) throw error;
    return { by: "openai", text: heard.join(""), error: { status: error.status, code: error.code } };
  }
}
