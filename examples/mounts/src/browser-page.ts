import OpenAI from "openai";

/** Asks a model from a page. `server` is the origin of the gateway. */
export async function ask(server: string, question: string): Promise<string | null | undefined> {
  // With the cookie of your login.
  const response = await fetch(`${server}/token`, { method: "POST", credentials: "include" });
  const { token }: { token: string } = await response.json();
  const client = new OpenAI({ baseURL: `${server}/router/v1`, apiKey: token, dangerouslyAllowBrowser: true });
  const answer = await client.chat.completions.create({
    model: "acme-small",
    messages: [{ role: "user", content: question }],
  });
  return answer.choices[0]?.message.content;
}
