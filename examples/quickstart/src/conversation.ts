import { assistantId, placingTrigger } from "./assistant.ts";

/** Lines for curl that hold a conversation with the demonstration assistant, each using what the one before gave. */
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
    content: `Please ${placingTrigger}: 2 "mugs"`,
    images: ["https://pictures.example/cat.png", "https://pictures.example/dog.png"],
    stream: true,
  };
  return [
    "# A conversation with the assistant, whose webhooks call a shop on this host: create a session,",
    `SESSION=$(curl -s ${session} ${key} ${json({ assistant_id: assistantId })} | sed 's/.*"id":"\\([^"]*\\)".*/\\1/'); echo $SESSION`,
    "# put client data, each key of which is a variable,",
    `${curl} -X PUT ${session}/$SESSION ${key} -F 'client_data={"customer": "Ann & Bob"}'`,
    "# send a message that has an order looked up,",
    `${curl} ${session}/$SESSION/messages ${key} ${json({ content: "Where is order 1234?" })}`,
    "# another that places one with images, streamed,",
    `curl -sN ${session}/$SESSION/messages ${key} ${json(order)}`,
    "# and read what the webhooks did.",
    `${curl} ${session}/$SESSION/logs ${key}`,
  ];
}
