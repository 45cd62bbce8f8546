import Anthropic from "@anthropic-ai/sdk";

const host = process.env["TOLLGATE_HOST"] ?? "https://host.example";
const client = new Anthropic({ baseURL: `${host}/router`, apiKey: process.env["TOLLGATE_API_KEY"] });

const message = await client.messages.create({
  model: "acme-large",
  max_tokens: 1_024,
  messages: [{ role: "user", content: "Hi" }],
});
console.log(message.content);
