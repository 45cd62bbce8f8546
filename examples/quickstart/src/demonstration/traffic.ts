import { assistantId, createOrderTrigger } from "../assistant.ts";
import { modelIds } from "../offer.ts";
import type { ByScenario } from "./scenarios.ts";

/** Where the quickstart listens, and its keys. */
export interface Served {
  readonly origin: string;
  readonly router: string;
  readonly keys: ByScenario<string>;
}

/** Sends real requests and has one conversation, so that the dashboard shows receipts and webhook logs. */
export async function sendTraffic({ origin, router, keys }: Served): Promise<void> {
  const hello = { model: modelIds.plain, messages: [{ role: "user", content: "Hello from the quickstart" }] };
  await post(`${router}/chat/completions`, keys.prepaid, hello);
  await post(`${router}/chat/completions`, keys.prepaid, { ...hello, stream: true, user: "ann" });
  await post(`${router}/chat/completions`, keys.prepaid, {
    ...hello,
    model: modelIds.reasoning,
    reasoning_effort: "low",
  });
  await post(`${router}/chat/completions`, keys.restricted, { ...hello, model: modelIds.reasoning });
  const session = await post(`${origin}/session`, keys.prepaid, {
    assistant_id: assistantId,
    client_data: { customer: "Ann & Bob" },
  });
  const { id }: { readonly id: string } = JSON.parse(session);
  const messages = `${origin}/session/${id}/messages`;
  await post(messages, keys.prepaid, { content: "Where is order 1234?" });
  await post(messages, keys.prepaid, {
    content: `Please ${createOrderTrigger}: 2 "mugs"`,
    images: ["https://pictures.example/cat.png"],
  });
}

async function post(url: string, key: string, body: object): Promise<string> {
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
  const response = await fetch(url, { method: "POST", headers, body: JSON.stringify(body) });
  return response.text();
}
