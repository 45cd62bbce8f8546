import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import Stripe from "stripe";
import { listen } from "../../http/mounts/mount.ts";
import { execute } from "./api.ts";
import { type Answer, ApiError } from "./api-error.ts";
import { type Fault, Faults } from "./faults.ts";
import { decodeForm } from "./form-body.ts";
import { IdempotencyKeys } from "./idempotency.ts";
import { StripeAccount } from "./stripe-account.ts";
import { Webhooks } from "./webhooks.ts";

/** A request that the API received. */
export interface ApiRequest {
  readonly method: string;
  readonly path: string;
  readonly key: string | undefined;
  /** The form in the body or the query. */
  readonly form: string;
  readonly version: string | undefined;
  /** The connected account. https://docs.stripe.com/connect/authentication */
  readonly account: string | undefined;
}

/** A stand-in for Stripe on node:http. It speaks what docs.stripe.com/api says of the calls that payments make. */
export interface StripeServer {
  readonly account: StripeAccount;
  readonly webhooks: Webhooks;
  readonly faults: Faults;
  readonly keys: IdempotencyKeys;
  readonly requests: readonly ApiRequest[];
  readonly port: number;
  /** A client of the official SDK that talks to this server. */
  readonly client: Stripe;
  close(): Promise<void>;
}

/** Starts a stand-in, with a balance in US dollars. */
export async function startStripe({ livemode = false } = {}): Promise<StripeServer> {
  const [webhooks, faults, keys] = [new Webhooks(), new Faults(), new IdempotencyKeys()];
  const account = new StripeAccount({ livemode, settles: "usd", emit: (event) => webhooks.emit(event) });
  const requests: ApiRequest[] = [];
  const apiKey = `sk_${livemode ? "live" : "test"}_of_the_stand_in`;
  const server = createServer(async (request, response) => {
    const received = await read(request);
    requests.push(received);
    await answerRequest(
      { account, faults, keys },
      received,
      request.headers.authorization === `Bearer ${apiKey}`,
      response,
    );
  });
  const { port, close } = await listen(server);
  const client = new Stripe(apiKey, { host: "127.0.0.1", port, protocol: "http", telemetry: false });
  return {
    ...{ account, webhooks, faults, keys, requests, port, client },
    close: async () => {
      server.closeAllConnections();
      await close();
    },
  };
}

async function read(request: IncomingMessage): Promise<ApiRequest> {
  const { pathname, search } = new URL(request.url ?? "", "http://stripe.test");
  const { method = "", headers } = request;
  const form = method === "GET" ? search.slice(1) : await text(request);
  return {
    method,
    path: pathname,
    form,
    key: header(headers["idempotency-key"]),
    version: header(headers["stripe-version"]),
    account: header(headers["stripe-account"]),
  };
}

interface Serving {
  readonly account: StripeAccount;
  readonly faults: Faults;
  readonly keys: IdempotencyKeys;
}

async function answerRequest(
  { account, faults, keys }: Serving,
  { method, path, form, key }: ApiRequest,
  isKnown: boolean,
  response: ServerResponse,
): Promise<void> {
  const fault = faults.of(path);
  if (fault === "cut") return void response.destroy();
  const early = isKnown ? earlyAnswer(fault) : unauthorized;
  if (early !== undefined) return send(response, early, false);
  const { answer, replayed } = await keys.run(method === "POST" ? key : undefined, `${path}?${form}`, async () => {
    await faults.delay(fault);
    const done = run(() => execute(account, method, path, decodeForm(form)));
    return fault === "lost" ? serverError : done;
  });
  if (fault === "cut_after") response.destroy();
  else send(response, answer, replayed);
}

/** What is answered before a request is executed, and so is not kept for its key. */
function earlyAnswer(fault: Fault | undefined): Answer | undefined {
  if (fault === "refused") return serverError;
  if (fault === "limited")
    return new ApiError(429, { type: "invalid_request_error", code: "rate_limit", message: "Too many requests" })
      .answer;
  if (fault === "forbidden")
    return new ApiError(403, { type: "invalid_request_error", message: "The key 'rk_test_***' may not do this." })
      .answer;
  return undefined;
}

function run(work: () => object): Answer {
  try {
    return { status: 200, body: structuredClone(work()) };
  } catch (error) {
    if (error instanceof ApiError) return error.answer;
    throw error;
  }
}

const serverError = new ApiError(500, { type: "api_error", message: "An unknown error occurred" }).answer;
const unauthorized = new ApiError(401, {
  type: "invalid_request_error",
  message: "Invalid API Key provided: sk_test_****",
}).answer;

let answered = 0;

function send(response: ServerResponse, { status, body }: Answer, replayed: boolean): void {
  answered += 1;
  response.statusCode = status;
  response.setHeader("content-type", "application/json").setHeader("request-id", `req_${answered}`);
  if (replayed) response.setHeader("idempotent-replayed", "true");
  response.end(JSON.stringify(body));
}

const header = (value: string | readonly string[] | undefined): string | undefined =>
  typeof value === "string" ? value : undefined;
