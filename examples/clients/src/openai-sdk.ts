import OpenAI from "openai";

const host = process.env["TOLLGATE_HOST"] ?? "https://host.example";
const client = new OpenAI({ baseURL: `${host}/router/v1`, apiKey: process.env["TOLLGATE_API_KEY"] });

const completion = await client.chat.completions.create({
  model: "acme-large",
  messages: [{ role: "user", content: "Hi" }],
});
const response = await client.responses.create({ model: "acme-large", input: "Hi" });
const { data } = await client.embeddings.create({ model: "acme-embedding", input: "Hi" });
console.log(completion.choices[0]?.message.content, response.output_text, data[0]?.embedding.length);
