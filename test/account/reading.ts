import type { GatewayUnderTest } from "../support/gateway-under-test.ts";

/** An answer of an endpoint of the account, with its body as JSON if it is. */
export interface Read {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly body: ReturnType<typeof JSON.parse>;
}

/** Asks an endpoint of the router with a key. */
export async function read(
  { gateway }: Pick<GatewayUnderTest, "gateway">,
  secret: string,
  path: string,
): Promise<Read> {
  const headers = { authorization: `Bearer ${secret}` };
  const answer = await gateway.fetch(new Request(`http://gateway.test/router/v1${path}`, { headers }));
  const text = await answer.text();
  return {
    status: answer.status,
    headers: answer.headers,
    text,
    body: text.startsWith("{") ? JSON.parse(text) : undefined,
  };
}

/** The endpoints of the account. */
export const accountPaths = ["/key", "/credits", "/usage", "/generation?id=chatcmpl-none"] as const;
