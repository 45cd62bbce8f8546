import { ChatAnthropic } from "@langchain/anthropic";
import { ChatOpenAI } from "@langchain/openai";

const host = process.env["TOLLGATE_HOST"] ?? "https://host.example";
const settings = { model: "acme-large", apiKey: process.env["TOLLGATE_API_KEY"] ?? "" };
const openai = new ChatOpenAI({ ...settings, configuration: { baseURL: `${host}/router/v1` } });
const anthropic = new ChatAnthropic({ ...settings, anthropicApiUrl: `${host}/router` });

console.log((await openai.invoke("Hi")).text, (await anthropic.invoke("Hi")).text);
