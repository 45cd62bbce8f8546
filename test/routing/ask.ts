import OpenAI, { APIError } from "openai";
import { chatView, prompt } from "./chat-view.ts";
import { type Form, publicModel, type Scene } from "./scene.ts";

/** A complete HTTP response. */
export interface ClientAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: string;
}

/** The result of a request by one of the two clients. */
export type ClientResult =
  | { readonly by: "fetch"; readonly answer: ClientAnswer }
  | {
      readonly by: "openai";
      readonly text: string;
      /** The error that the client threw. */
      readonly error: { readonly status: number | undefined; readonly code: unknown } | undefined;
    };

/** Sends the request with fetch. */
export async function askByFetch({ baseURL, secret }: Scene, form: Form): Promise<ClientResult> {
  const response = await fetch(`${baseURL}/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${secret}`, "content-type": "application/json", connection: "close" },
    body: chatView.requestBody(form),
  });
  const { status, headers } = response;
  return { by: "fetch", answer: { status, headers, body: await response.text() } };
}

/** Sends the request with the official client, without retries. */
export async function askByOpenAI({ baseURL, secret }: Scene, form: Form): Promise<ClientResult> {
  const client = new OpenAI({ baseURL, apiKey: secret, maxRetries: 0, defaultHeaders: { connection: "close" } });
  const messages = [{ role: "user" as const, content: prompt }];
  const received: string[] = [];
  try {
    if (form === "whole") {
      const { choices } = await client.chat.completions.create({ model: publicModel, messages, stream: false });
      received.push(choices[0]?.message.content ?? "");
    } else {
      const stream = await client.chat.completions.create({ model: publicModel, messages, stream: true });
      for await (const chunk of stream) received.push(chunk.choices[0]?.delta.content ?? "");
    }
    return { by: "openai", text: received.join(""), error: undefined };
  } catch (error) {
    if (!(error instanceof APIError)) throw error;
    return { by: "openai", text: received.join(""), error: { status: error.status, code: error.code } };
  }
}
