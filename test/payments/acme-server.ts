import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { json } from "node:stream/consumers";
import type { ProviderMovement } from "@tollgate/payments";
import { listen } from "../http/mounts/mount.ts";

/** What Acme Pay does with a request. `lost`: it does it, and the connection breaks before the answer. */
type Mood = "works" | "down" | "lost" | "refuses";

/** A stand-in of Acme Pay, the imaginary company of `examples/custom-provider`. */
export interface AcmeServer {
  readonly baseURL: string;
  mood: Mood;
  /** The payments for which it has made a page or a charge, each once. */
  readonly made: ReadonlyMap<string, object>;
  /** How often it was asked. */
  requests: number;
  readonly movements: ProviderMovement[];
  close(): Promise<void>;
}

/** Starts it on 127.0.0.1. */
export async function startAcmeServer(): Promise<AcmeServer> {
  const made = new Map<string, object>();
  const server: Pick<AcmeServer, "mood" | "requests" | "made" | "movements"> = {
    mood: "works",
    requests: 0,
    made,
    movements: [],
  };
  const { port, close } = await listen(
    createServer(async (request, response) => {
      server.requests += 1;
      if (server.mood === "down") return void request.socket.destroy();
      const answer = await answerOf(request, server, made);
      if (server.mood === "lost") return void request.socket.destroy();
      send(response, answer);
    }),
  );
  return Object.assign(server, { baseURL: `http://127.0.0.1:${port}`, close: async () => void (await close()) });
}

async function answerOf(
  request: IncomingMessage,
  { mood, movements }: Pick<AcmeServer, "mood" | "movements">,
  made: Map<string, object>,
): Promise<object> {
  const url = new URL(request.url ?? "/", "http://acme.test");
  if (request.method === "GET") return pageOf(movements, url.searchParams);
  const key = String(request.headers["idempotency-key"]);
  const known = made.get(key);
  if (known !== undefined) return known;
  await json(request);
  const expires_at = new Date(Date.now() + 3_600_000).toISOString();
  const page = { id: `page_${key}`, url: `https://pay.acme.test/${key}`, expires_at };
  const charge = mood === "refuses" ? { status: "refused", reason: "The card was declined." } : { status: "accepted" };
  const answer = url.pathname === "/pages" ? page : charge;
  made.set(key, answer);
  return answer;
}

const pageSize = 2;

function pageOf(movements: readonly ProviderMovement[], query: URLSearchParams): object {
  const [from, to, start] = [query.get("from") ?? "", query.get("to") ?? "", Number(query.get("start") ?? 0)];
  const inRange = movements.filter(({ at }) => at >= new Date(from) && at < new Date(to));
  const data = inRange.slice(start, start + pageSize).map(({ amount, at, ...others }) => ({
    ...others,
    amount: String(amount.amount),
    currency: amount.currency,
    at: at.toISOString(),
  }));
  const next = `/movements?${new URLSearchParams({ from, to, start: String(start + pageSize) })}`;
  return { data, next: start + pageSize < inRange.length ? next : null };
}

function send(response: ServerResponse, answer: object): void {
  response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(answer));
}
