import { pooledTransport } from "@tollgate/node";
import type { ProbeSettings } from "./answer-probe.ts";

/** Sends a request with the transport for Node, and returns the status of the answer. */
export async function sendPooled({ mockURL }: ProbeSettings) {
  const transport = pooledTransport();
  const { status, body } = await transport({
    method: "POST",
    url: `${mockURL}/chat/completions`,
    headers: { "content-type": "application/json" },
    body: '{"model":"upstream-model"}',
    signal: new AbortController().signal,
    connectMs: 5_000,
  });
  const text = await new Promise((resolve, reject) => {
    const parts: string[] = [];
    const decoder = new TextDecoder();
    body.pipeTo({
      write: (chunk) => void parts.push(decoder.decode(chunk, { stream: true })),
      close: () => resolve(parts.join("")),
      fail: reject,
    });
  });
  await transport.close();
  return { status, text };
}
