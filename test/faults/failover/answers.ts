import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { isWholeAnswer, type RequestForm, requestForms, smallRequestParts } from "../dialects/small-request.ts";

/** What a client received. Times are in milliseconds since the Unix epoch. */
export interface Answer extends RequestForm {
  readonly requestId: string;
  readonly port: number;
  readonly status: number;
  readonly isWhole: boolean;
  readonly sentAt: number;
  readonly endedAt: number;
}

/** The dialects in turn, without embeddings, which are another kind of model. */
const forms = requestForms.filter(({ dialect }) => dialect !== "embeddings");

/** Clients that ask several gateways, each with a key of its own, until they are stopped. */
export class Clients {
  readonly answers: Answer[] = [];
  readonly #loops: readonly Promise<void>[];
  #isStopped = false;

  /** One client for each key. Each asks one of the gateways at these ports. */
  constructor(
    private readonly ports: readonly number[],
    secrets: readonly string[],
  ) {
    this.#loops = secrets.map((secret, client) => this.#loop(client, secret));
  }

  /** Resolves when every gateway has served a request that was sent after a time, and returns how long that took. */
  async servedSince(since: number): Promise<number> {
    for (;;) {
      const served = this.answers.filter(({ sentAt, status }) => sentAt >= since && status === 200);
      const first = this.ports.map((port) => served.find((answer) => answer.port === port)?.endedAt ?? Infinity);
      if (!first.includes(Infinity)) return Math.max(...first) - since;
      if (Date.now() > since + 60_000) throw new Error("A gateway has served no request for a minute.");
      await sleep(5);
    }
  }

  /** Resolves when every client has its last answer. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await Promise.all(this.#loops);
  }

  async #loop(client: number, secret: string): Promise<void> {
    for (let asked = client; !this.#isStopped; asked++) {
      const form = forms[asked % forms.length];
      const port = this.ports[client % this.ports.length];
      if (form === undefined || port === undefined) throw new Error("There is nothing to ask.");
      this.answers.push(await ask(port, secret, form));
      // The clients of a service that is down do not ask as fast as they can.
      await sleep(20);
    }
  }
}

async function ask(port: number, secret: string, form: RequestForm): Promise<Answer> {
  const sentAt = Date.now();
  const requestId = randomUUID();
  const { path, headers, body } = smallRequestParts({ ...form, secret, requestId, model: "model", text: "Link 0 ?" });
  const response = await fetch(`http://127.0.0.1:${port}/router/v1${path}`, { method: "POST", headers, body });
  const text = await response.text();
  const { status } = response;
  const isWhole = isWholeAnswer(form, status, text);
  return { ...form, requestId, port, status, isWhole, sentAt, endedAt: Date.now() };
}
