import {
  brotliCompressSync,
  createBrotliCompress,
  createDeflate,
  createDeflateRaw,
  createGzip,
  deflateRawSync,
  deflateSync,
  gzipSync,
} from "node:zlib";
import { completionOf } from "@tollgate/core/provider";
import { afterEach, describe, expect, it } from "vitest";
import { callOver, canaryKey, everythingOf, providerAt, providerErrorOf, streamOf, transports } from "./calls.ts";
import { httpUpstream, type Upstream } from "./upstream.ts";

const open: Upstream[] = [];
afterEach(async () => {
  for (const upstream of open.splice(0)) await upstream.close();
});
const upstreamOf = async (upstream: Promise<Upstream>) => {
  open.push(await upstream);
  return upstream;
};
const sse = { "content-type": "text/event-stream" };
const completion = JSON.stringify({ choices: [{ message: { role: "assistant", content: "Hi" } }] });

const compressors = [
  ["gzip", gzipSync, createGzip],
  ["deflate", deflateSync, createDeflate],
  ["deflate", deflateRawSync, createDeflateRaw],
  ["br", brotliCompressSync, createBrotliCompress],
] as const;

describe.each(transports())("compressed answers over %s", (_name, transport) => {
  const complete = (baseURL: string) => providerAt(baseURL).complete(callOver(transport)).then(completionOf);

  it.each(compressors)(
    "decodes an answer in %s although the request asked for identity",
    async (encoding, compress) => {
      const upstream = await upstreamOf(
        httpUpstream((request, response) => {
          expect(request.headers["accept-encoding"]).toBe("identity");
          response
            .writeHead(200, { "content-type": "application/json", "content-encoding": encoding })
            .end(compress(completion));
        }),
      );
      expect(await complete(upstream.baseURL)).toEqual(JSON.parse(completion));
    },
  );

  it.each(["compress", "gzip, compress"])("rejects an answer in %s", async (encoding) => {
    const upstream = await upstreamOf(
      httpUpstream((_request, response) => {
        response.writeHead(200, { "content-type": "application/json", "content-encoding": encoding }).end(completion);
      }),
    );
    expectClean(await providerErrorOf(complete(upstream.baseURL)), "invalid_response");
  });

  it("limits the decoded bytes of a compressed answer", async () => {
    const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024, 0x20), { level: 9 });
    const upstream = await upstreamOf(
      httpUpstream((_request, response) => {
        response.writeHead(200, { "content-type": "application/json", "content-encoding": "gzip" }).end(bomb);
      }),
    );
    expect(bomb.length).toBeLessThan(100_000);
    const error = await providerErrorOf(complete(upstream.baseURL));
    expectClean(error, "invalid_response");
    expect(error.message).toContain("longer than");
  });

  it.each(compressors)(
    "passes on each frame of a stream in %s as it arrives",
    async (encoding, _compress, compressor) => {
      const frames = ["data: 1\n\n", "data: 2\n\n", "data: [DONE]\n\n"];
      let send: () => void = () => undefined;
      const upstream = await upstreamOf(
        httpUpstream((_request, response) => {
          const coder = compressor();
          coder.pipe(response.writeHead(200, { ...sse, "content-encoding": encoding }));
          send = () => {
            const frame = frames.shift();
            if (frame === undefined) coder.end();
            else {
              coder.write(frame);
              coder.flush();
            }
          };
          response.flushHeaders();
          send();
        }),
      );
      const stream = await streamOf(providerAt(upstream.baseURL).stream(callOver(transport)));
      const received: string[] = [];
      await new Promise<void>((resolve, reject) => {
        stream.pipeTo({
          // The next frame is sent when this one has arrived.
          write: (bytes) => {
            received.push(new TextDecoder().decode(bytes));
            send();
          },
          close: resolve,
          fail: reject,
        });
      });
      expect(received).toEqual(["data: 1\n\n", "data: 2\n\n", "data: [DONE]\n\n"]);
    },
  );

  it("delivers the bytes of a compressed stream that arrived before it broke off, and then the failure", async () => {
    const upstream = await upstreamOf(
      httpUpstream((_request, response) => {
        const coder = createGzip();
        coder.on("data", (bytes) => response.write(bytes));
        response.writeHead(200, { ...sse, "content-encoding": "gzip" });
        coder.write("data: 1\n\n");
        coder.flush(() => setTimeout(() => response.destroy(), 50));
      }),
    );
    const stream = await streamOf(providerAt(upstream.baseURL).stream(callOver(transport)));
    const received: unknown[] = [];
    await new Promise<void>((resolve) => {
      stream.pipeTo({
        write: (bytes) => void received.push(new TextDecoder().decode(bytes)),
        close: resolve,
        fail: (cause) => {
          received.push(cause);
          resolve();
        },
      });
    });
    expect(received).toMatchObject(["data: 1\n\n", { failure: "failed" }]);
  });

  it("classifies corrupt and truncated compressed answers", async () => {
    const whole = gzipSync(completion);
    for (const body of [whole.subarray(0, 20), Buffer.from("this is no gzip")]) {
      const upstream = await upstreamOf(
        httpUpstream((_request, response) => {
          response.writeHead(200, { "content-type": "application/json", "content-encoding": "gzip" }).end(body);
        }),
      );
      const error = await providerErrorOf(complete(upstream.baseURL));
      expect(["failed", "invalid_response"]).toContain(error.failure);
    }
  });
});

function expectClean(error: { failure: string }, failure: string): void {
  expect(error.failure).toBe(failure);
  expect(everythingOf(error)).not.toContain(canaryKey);
}
