import { createServer, type ServerResponse } from "node:http";
import { listen } from "../../http/mounts/mount.ts";
import { isRecord } from "../../support/is-record.ts";
import { readText, sendReply } from "../../upstream/send-reply.ts";
import { readPlan, replyTo, textsIn } from "./planned-answer.ts";

/** What an upstream has sent for one request. */
export interface SentAnswer {
  attempts: number;
  /** Answers with their usage that were written to the end. */
  wholes: number;
  /** Events with content of the attempt that sent the most. */
  contents: number;
  /** Attempts that failed as planned. */
  faults: number;
}

/** An upstream that answers as each prompt asks, and counts what it sends. */
export interface CountingUpstream {
  readonly url: string;
  /** By the id in the prompt. */
  readonly sent: ReadonlyMap<string, Readonly<SentAnswer>>;
  connections(): number;
  close(): Promise<void>;
}

/** Starts an upstream on a free port. */
export async function startCountingUpstream(): Promise<CountingUpstream> {
  const sent = new Map<string, SentAnswer>();
  const server = createServer(async (request, response) => {
    const text = await readText(request).catch(() => undefined);
    // The gateway has closed the connection.
    if (text === undefined) return;
    const body: unknown = JSON.parse(text);
    if (!isRecord(body)) throw new Error("The upstream received a body that is not an object.");
    await answer(response, { url: request.url ?? "", body }, sent);
  });
  const { port, connections, close } = await listen(server);
  return {
    url: `http://127.0.0.1:${port}/v1`,
    sent,
    connections,
    close: () => {
      server.closeAllConnections();
      return close();
    },
  };
}

async function answer(
  response: ServerResponse,
  asked: Parameters<typeof sendReply>[1],
  sent: Map<string, SentAnswer>,
): Promise<void> {
  const plan = readPlan(asked.body);
  const counted = sent.get(plan.id) ?? { attempts: 0, wholes: 0, contents: 0, faults: 0 };
  sent.set(plan.id, counted);
  counted.attempts += 1;
  // Each link of a conversation is a request and its answer.
  const isWhole = plan.link === undefined || textsIn(asked.body).length === 2 * plan.link + 1;
  const reply = replyTo(isWhole ? plan : { ...plan, fault: "lost conversation", failures: 1 }, counted.attempts);
  if (reply.fault !== undefined) counted.faults += 1;
  else
    response.once("finish", () => {
      counted.wholes += 1;
    });
  let contents = 0;
  await sendReply(response, asked, reply, () => {
    contents += 1;
    counted.contents = Math.max(counted.contents, contents);
  });
}
