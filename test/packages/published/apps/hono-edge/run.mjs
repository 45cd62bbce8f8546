import { readFileSync } from "node:fs";
import { createContext, runInContext } from "node:vm";

/** What every edge runtime has: no `process`, no `Buffer`, no `require`. */
const names = [
  ...["AbortController", "AbortSignal", "Blob", "DOMException", "Event", "EventTarget", "File", "FormData"],
  ...["Headers", "ReadableStream", "Request", "Response", "TextDecoder", "TextEncoder", "TransformStream", "URL"],
  ...["URLSearchParams", "WritableStream", "atob", "btoa", "clearInterval", "clearTimeout", "console", "crypto"],
  ...["fetch", "performance", "queueMicrotask", "setInterval", "setTimeout", "structuredClone"],
];
const context = createContext(Object.fromEntries(names.map((name) => [name, globalThis[name]])));
context.self = context;

const bundle = readFileSync(new URL("bundle.js", import.meta.url), "utf8");
const { default: worker } = runInContext(`${bundle}\nworker;`, context);
const answer = await worker.fetch(new Request("https://edge.example/chat"));
const { choices, usage } = await answer.json();
console.log(answer.status, choices[0].message.content, usage.total_tokens);
