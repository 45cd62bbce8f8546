import { type ClientRequest, type IncomingMessage, request as openRequest } from "node:http";
import type { Gateway } from "../driver.ts";
import type { Api } from "../models.ts";

/** A request of a client. */
export interface Ask {
  readonly secret: string;
  readonly model: string;
  readonly prompt: string;
  readonly stream?: boolean;
  /** Default: "chat". */
  readonly api?: Api;
  /** Members of the body besides the model, the prompt and `stream`. Undefined members are left out. */
  readonly body?: Readonly<Record<string, unknown>>;
  /** The whole body, in place of what the other members make. */
  readonly text?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** The base URL of another process. Default: that of the gateway. */
  readonly url?: string;
  /** A path in place of that of the API: below the base URL, or from the root if it begins with a slash. */
  readonly path?: string;
  /** Default: "POST". The others have no body. */
  readonly method?: "POST" | "GET" | "DELETE";
}

/** An answer that has ended. */
export interface Answer {
  /** 0 without an answer. */
  readonly status: number;
  readonly headers: IncomingMessage["headers"];
  readonly text: string;
  /** False if the connection broke before the end. */
  readonly isWhole: boolean;
}

/** A request that runs. */
export interface Running {
  /** Resolves with the next event of the stream, without the empty line at its end; undefined at the end of the connection. */
  event(): Promise<string | undefined>;
  /** Reads the rest. Events that were read before are part of its text. */
  answer(): Promise<Answer>;
  /** Closes the connection at once. */
  leave(): void;
}

/** Calls a gateway, each time on a connection of its own. */
export interface Client {
  ask(ask: Ask): Promise<Answer>;
  begin(ask: Ask): Running;
}

/** Makes a client of a gateway. */
export function clientOf({ url, headers }: Pick<Gateway, "url" | "headers">): Client {
  const begin = (ask: Ask) => new RunningRequest(ask.url ?? url, { ...ask, headers: { ...headers, ...ask.headers } });
  return { begin, ask: (ask) => begin(ask).answer() };
}

/** Returns the body of a request. */
export function bodyOf({ api = "chat", model, prompt, stream, body }: Omit<Ask, "secret">): Record<string, unknown> {
  const streamed = stream === true ? { stream } : {};
  if (api === "embeddings") return { model, input: prompt, ...body };
  if (api === "responses") return { model, input: prompt, ...streamed, ...body };
  const messages = [{ role: "user", content: prompt }];
  if (api === "messages") return { model, messages, max_tokens: 100, ...streamed, ...body };
  return {
    model,
    messages,
    ...streamed,
    ...(stream === true ? { stream_options: { include_usage: true } } : {}),
    ...body,
  };
}

const paths: Readonly<Record<Api, string>> = {
  chat: "chat/completions",
  messages: "messages",
  responses: "responses",
  embeddings: "embeddings",
};

class RunningRequest implements Running {
  readonly #request: ClientRequest;
  readonly #ended: Promise<void>;
  #response: IncomingMessage | undefined;
  #text = "";
  #read = 0;
  #isOver = false;
  #wake: () => void = () => undefined;

  constructor(url: string, ask: Ask) {
    const { api = "chat", secret, headers, method = "POST", path = paths[api] } = ask;
    const text = method === "POST" ? (ask.text ?? JSON.stringify(bodyOf(ask))) : "";
    this.#request = openRequest(new URL(path, `${url}/`), {
      method,
      agent: false,
      headers: {
        ...(method === "POST" ? { "content-type": "application/json", "content-length": Buffer.byteLength(text) } : {}),
        authorization: `Bearer ${secret}`,
        ...(api === "messages" ? { "anthropic-version": "2023-06-01" } : {}),
        ...headers,
      },
    });
    this.#ended = new Promise((resolve) => this.#listen(resolve));
    this.#request.end(text);
  }

  async event(): Promise<string | undefined> {
    for (;;) {
      const end = this.#text.indexOf("\n\n", this.#read);
      if (end !== -1) {
        const event = this.#text.slice(this.#read, end);
        this.#read = end + 2;
        return event;
      }
      if (this.#isOver) return undefined;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  async answer(): Promise<Answer> {
    await this.#ended;
    const response = this.#response;
    const status = response?.statusCode ?? 0;
    return { status, headers: response?.headers ?? {}, text: this.#text, isWhole: response?.complete === true };
  }

  leave(): void {
    this.#request.destroy();
  }

  #listen(resolve: () => void): void {
    const end = () => {
      this.#isOver = true;
      this.#wake();
      resolve();
    };
    this.#request.on("error", end);
    this.#request.once("close", end);
    this.#request.once("response", (response) => {
      this.#response = response;
      response.setEncoding("utf8");
      response.on("data", (chunk: string) => {
        this.#text += chunk;
        this.#wake();
      });
      response.on("error", end);
      response.once("close", end);
    });
  }
}
