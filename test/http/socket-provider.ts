import { request as httpRequest, type IncomingMessage } from "node:http";
import { type ByteStream, type ProviderAdapter, type ProviderCall, ProviderError } from "@tollgate/core";

/** A provider that asks an upstream of chat completions over a socket of its own. */
export function socketProvider(baseUrl: string): ProviderAdapter {
  return {
    name: "socket",
    capabilities: { streamUsage: true, outputCapField: "max_completion_tokens", pricedFields: [], cancel: "stops" },
    async complete(call) {
      const parts: Buffer[] = [];
      for await (const part of await post(baseUrl, call)) parts.push(part);
      return JSON.parse(Buffer.concat(parts).toString());
    },
    stream: async (call) => ({ kind: "bytes", bytes: byteStream(await post(baseUrl, call)) }),
  };
}

function post(baseUrl: string, call: ProviderCall): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const req = httpRequest(`${baseUrl}/chat/completions`, { method: "POST", agent: false }, resolve);
    call.signal.addEventListener("abort", () => req.destroy());
    req.on("error", (cause) => reject(new ProviderError("unreachable", "The upstream cannot be reached.", { cause })));
    req.end(call.encoded());
  });
}

function byteStream(res: IncomingMessage): ByteStream {
  let ended = false;
  return {
    flow(sink) {
      res.on("data", (chunk: Buffer) => sink.write(chunk));
      res.on("end", () => {
        ended = true;
        sink.close();
      });
      res.on("error", (cause) => ended || sink.fail(new ProviderError("failed", "The upstream broke off.", { cause })));
    },
    pause: () => void res.pause(),
    resume: () => void res.resume(),
    cancel: () => {
      ended = true;
      res.removeAllListeners("data").removeAllListeners("end");
      res.destroy();
    },
  };
}
