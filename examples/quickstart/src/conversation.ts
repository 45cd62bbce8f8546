import { assistantId, createOrderTrigger } from "./assistant.ts";

/** The curl commands for a conversation with the demo assistant. Each uses the session that the first one creates. */
export function conversation({
  origin,
  keys,
}: {
  readonly origin: string;
  readonly keys: { readonly prepaid: string };
}): readonly string[] {
  const session = `${origin}/session`;
  const curl = "curl -s -w '\\n'";
  const key = `-H 'Authorization: Bearer ${keys.prepaid}'`;
  const json = (body: object) => `-H 'Content-Type: application/json' -d '${JSON.stringify(body)}'`;
  const order = {
    content: `Please ${createOrderTrigger}: 2 "mugs"`,
    images: ["https://pictures.example/cat.png", "https://pictures.example/dog.png"],
    stream: true,
  };
  return [
    "# A conversation with the assistant, whose webhooks call a shop on this host: create a session,",
    `SESSION=$(curl -s ${session} ${key} ${json({ assistant_id: assistantId })} | sed 's/.*"id":"\\([^"]*\\)".*/\\1/'); echo $SESSION`,
    "# set client data, whose keys are variables in the webhooks,",
    `${curl} -X PUT ${session}/$SESSION ${key} -F 'client_data={"customer": "Ann & Bob"}'`,
    "# send a message that looks up an order,",
    `${curl} ${session}/$SESSION/messages ${key} ${json({ content: "Where is order 1234?" })}`,
    "# send another that places an order with images, and stream the answer,",
    `curl -sN ${session}/$SESSION/messages ${key} ${json(order)}`,
    "# and read the logs of the webhooks.",
    `${curl} ${session}/$SESSION/logs ${key}`,
  ];
}
