import type { VariableSources } from "../../../packages/assistants/src/definition/compiled-webhook.ts";
import { compileWebhook } from "../../../packages/assistants/src/webhook/compile-webhook.ts";

const batch = 500;

const properties = ["order_id", "order", "city", "note", "quantity", "reason", "email", "phone"];

const sources: VariableSources = {
  system: { "session.id": crypto.randomUUID(), "company.id": "company-1", "assistant.id": "assistant-1" },
  images: ["https://images.example/one.png", "https://images.example/two.png"],
  secrets: { api_key: "sk-0123456789abcdef" },
  declared: properties,
  arguments: {
    order_id: "A-1042",
    city: "São Paulo",
    note: 'Ring "twice", please.\nThank you.',
    quantity: 3,
    reason: "late",
  },
  clientData: {
    user: { name: "Ann", address: { street: "First Street", number: 12 } },
    user_name: "Ann Lee",
    plan: "gold",
    orders: [{ id: 7, items: ["lamp", "chair"] }],
    ...Object.fromEntries(Array.from({ length: 46 }, (_, place) => [`field_${place}`, `value ${place}`])),
  },
};

/** A webhook of 2 KiB in which 20 variables stand, from every source and in every place. */
const webhook = {
  type: "WEBHOOK",
  url: "https://api.shop.example/v1/companies/$company.id/orders/$order_id?city=$city&plan=$plan",
  method: "POST",
  headers: [
    { key: "Authorization", value: "Bearer $api_key" },
    { key: "X-Session", value: "$session.id" },
  ],
  body: JSON.stringify({
    text: "The order $order_id of $user_name goes to $city; the customer wrote: $note ($reason).",
    user: { name: "$user.name", street: "$user.address.street", email: "$email", phone: "$phone" },
    first: "$orders[0].id",
    image: "$images[0]",
    fields: ["$field_1", "$field_12", "$field_40"],
    about: "What a support system wants to know of every order that comes to it. ".repeat(18),
  }).replace(/}$/, ',"quantity":$quantity,"images":$images}'),
} as const;

/** Microseconds of CPU time that one rendering takes, after a quarter of the time to warm up. */
export function measureRendering(seconds: number): number {
  const compiled = compileWebhook(webhook, { properties, secrets: ["api_key"] });
  if ("problems" in compiled) throw new Error(compiled.problems.join("\n"));
  const render = () => {
    for (let i = 0; i < batch; i++) {
      if (compiled.webhook.render(sources).outcome !== "rendered") throw new Error("The webhook was refused.");
    }
  };
  repeat(render, 250 * seconds);
  const begin = process.cpuUsage();
  const renderings = batch * repeat(render, 1_000 * seconds);
  const { user, system } = process.cpuUsage(begin);
  return (user + system) / renderings;
}

/** How often something was done in a time. */
function repeat(work: () => void, milliseconds: number): number {
  const end = performance.now() + milliseconds;
  let times = 0;
  for (; performance.now() < end; times++) work();
  return times;
}
