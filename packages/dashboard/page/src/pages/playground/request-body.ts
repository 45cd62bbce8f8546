import { shell } from "../../design/snippets.ts";
import { draft, type Turn } from "./draft.ts";
import type { PlaygroundTarget } from "./target.ts";

/** The body of the chat completion that the playground sends. */
export function completionBody({ id }: PlaygroundTarget, turns: readonly Turn[]): object {
  const system = draft.system.value.trim();
  const temperature = Number.parseFloat(draft.temperature.value);
  const maxTokens = Number.parseInt(draft.maxTokens.value, 10);
  return {
    model: id,
    messages: [
      ...(system === "" ? [] : [{ role: "system", content: system }]),
      ...turns.map(({ role, text }) => ({ role, content: text })),
    ],
    stream: true,
    ...(Number.isFinite(temperature) && { temperature }),
    ...(Number.isFinite(maxTokens) && { max_completion_tokens: maxTokens }),
  };
}

/** The request as curl. The key is a variable of the shell, because the playground's own expires. */
export function curlText(url: string, body: object): string {
  return [
    `curl --no-buffer ${shell(url)} \\`,
    `  -H "Authorization: Bearer $TOLLGATE_KEY" \\`,
    `  -H 'Content-Type: application/json' \\`,
    `  -d ${shell(JSON.stringify(body, null, 2))}`,
  ].join("\n");
}
