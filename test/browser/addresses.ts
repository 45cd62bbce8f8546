import { conversations, logs } from "../../packages/dashboard/page/fixtures/conversations.ts";
import { requests } from "../../packages/dashboard/page/fixtures/requests.ts";
import { now } from "./browser.ts";

/** The sessions whose webhook answers are markup, a megabyte, and right-to-left text. */
export const [markupSession, longSession, rightToLeftSession] = conversations(now);

const session = markupSession?.id ?? "";
const log = markupSession === undefined ? "" : (logs(markupSession, 0)[1]?.log.id ?? "");

/** The addresses at which the dashboard is looked at: each page, and each kind of panel and dialog. */
export const addresses: readonly (readonly [name: string, address: string])[] = [
  ["usage", "usage"],
  ["usage-tokens", "usage?measure=tokens&group=class&range=30d"],
  ["usage-latency", "usage?measure=p95&group=account"],
  ["usage-empty", "usage?account=nobody"],
  ["requests", "requests"],
  ["request", `requests?id=${requests(now)[0]?.id}`],
  ["requests-empty", "requests?account=nobody"],
  ["keys", "keys"],
  ["key", "keys?id=key_0003"],
  ["create-key", "keys?new=1"],
  ["accounts", "accounts"],
  ["account", "accounts?id=acme"],
  ["account-filtered", "accounts?id=acme&kind=credit&from=2026-11-01"],
  ["account-not-billed", "accounts?id=hooli"],
  ["models", "models"],
  ["model", "models?id=meta-llama%2Fllama-4-maverick"],
  ["terms", "terms"],
  ["conversations", "conversations"],
  ["session", `conversations?id=${session}`],
  ["logs", `conversations?id=${session}&view=logs`],
  ["log", `conversations?id=${session}&view=logs&log=${log}`],
  ["client-data", `conversations?id=${session}&view=data`],
  ["assistants", "assistants"],
  ["assistant", "assistants?id=order-desk"],
  ["playground", "playground?account=acme"],
  ["audit", "audit"],
  ["change", "audit?id=1399"],
  ["health", "health"],
];
