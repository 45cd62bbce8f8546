import { createAnthropic } from "@ai-sdk/anthropic";
import { createOpenAI } from "@ai-sdk/openai";
import { generateText } from "ai";

const host = process.env["TOLLGATE_HOST"] ?? "https://host.example";
const settings = { baseURL: `${host}/router/v1`, apiKey: process.env["TOLLGATE_API_KEY"] ?? "" };
const openai = createOpenAI(settings);
const anthropic = createAnthropic(settings);

for (const model of [openai("acme-large"), openai.chat("acme-large"), anthropic("acme-large")]) {
  const { text } = await generateText({ model, prompt: "Hi" });
  console.log(text);
}
