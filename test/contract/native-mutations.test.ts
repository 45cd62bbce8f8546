import { providerContract, type ScriptedUpstream } from "@tollgate/contract";
import { fetchTransport, openaiCompatible } from "@tollgate/core";
import { collect, type NativeMethod, ProviderError } from "@tollgate/core/provider";
import { describe, expect, it } from "vitest";
import { failuresOf, withOverrides } from "./failures.ts";
import {
  changingJson,
  changingStream,
  ignoringLateAborts,
  leavingOpen,
  nativeRepeating,
  nativeRethrowing,
  nativeSending,
  withoutKey,
} from "./native-mutations.ts";
import { readWhole, through } from "./provider-mutations.ts";

type Mutation = (sound: NativeMethod, upstream: ScriptedUpstream) => NativeMethod;

const reportingFailed: Mutation = (sound) =>
  nativeRethrowing(sound, ({ message, details }) => new ProviderError("failed", message, details));

/** Each mutation of the method of the dialect `responses`, and the case of the suite that must detect it. */
const mutations: Record<string, readonly [mutation: Mutation, detectedBy: string]> = {
  "parses the JSON of the upstream and writes it again": [
    (sound) => changingJson(sound, (text) => JSON.stringify(JSON.parse(text))),
    "the JSON of the upstream is returned unchanged",
  ],
  "removes the end of line of JSON": [
    (sound) => changingJson(sound, (text) => text.trimEnd()),
    "the JSON of the upstream is returned unchanged",
  ],
  "returns a stream as JSON": [
    (sound) => async (call) => {
      const answer = await sound(call);
      return answer.kind === "json" ? answer : { kind: "json", body: await collect(answer.bytes, 1_000_000) };
    },
    "the events of the upstream are returned unchanged in a stream",
  ],
  "normalizes the line ends of events": [
    (sound) =>
      changingStream(sound, (bytes) =>
        through(bytes, (sink) => ({
          write: (chunk) =>
            sink.write(Buffer.from(Buffer.from(chunk).toString("latin1").replaceAll("\r", ""), "latin1")),
        })),
      ),
    "the events of the upstream are returned unchanged in a stream",
  ],
  "decodes each network chunk separately": [
    (sound) =>
      changingStream(sound, (bytes) =>
        through(bytes, (sink) => ({ write: (chunk) => sink.write(Buffer.from(Buffer.from(chunk).toString())) })),
      ),
    "the events of the upstream are returned unchanged in a stream",
  ],
  "ends a broken stream normally": [
    (sound) => changingStream(sound, (bytes) => through(bytes, (sink) => ({ fail: () => sink.close() }))),
    "a stream whose connection is lost is a failure, without a retry",
  ],
  "parses the request and writes it again": [
    (sound) =>
      nativeSending(sound, (request) => ({ ...request, body: JSON.stringify(JSON.parse(textOf(request.body))) })),
    "the body of the call reaches the upstream unchanged",
  ],
  "sends no key": [(_, { origin }) => withoutKey(origin), "the provider's key is sent in a header and never in a URL"],
  "puts the key into the URL": [
    (sound, { apiKey }) => nativeSending(sound, (request) => ({ ...request, url: `${request.url}?key=${apiKey}` })),
    "the provider's key is sent in a header and never in a URL",
  ],
  "lets the client's headers replace its own": [
    (sound) =>
      nativeSending(sound, (request, { headers }) => ({ ...request, headers: { ...request.headers, ...headers } })),
    "no header of the client replaces one of the provider",
  ],
  "bypasses the call's transport": [
    (sound) => (call) => sound({ ...call, transport: fetchTransport() }),
    "every request uses the call's transport and connect timeout",
  ],
  "uses its own connect timeout": [
    (sound) => (call) => sound({ ...call, connectMs: 30_000 }),
    "every request uses the call's transport and connect timeout",
  ],
  "retries after a failure": [nativeRepeating, "status 500 rejects with failed, without a retry"],
  "retries after a truncated body": [nativeRepeating, "truncated JSON is a failure, without a retry"],
  "throws its own errors": [
    (sound) => nativeRethrowing(sound, () => new Error("no luck")),
    "status 401 rejects with credentials, without a retry",
  ],
  "reports each refusal as a failure": [reportingFailed, "status 400 rejects with rejected, without a retry"],
  "reports a rate limit as a failure": [reportingFailed, "status 429 rejects with overloaded, without a retry"],
  "reports a refused connection as a failure": [
    reportingFailed,
    "an upstream that does not listen rejects with unreachable",
  ],
  "drops retry-after": [
    (sound) => nativeRethrowing(sound, ({ failure, message }) => new ProviderError(failure, message)),
    "the error has the upstream's retry-after",
  ],
  "shows the host to clients": [
    (sound, { origin }) => withClientMessage(sound, `Temperature must be at most 2. ${origin}`),
    "clientMessage has the upstream's reason without the host, the key or the upstream's model name",
  ],
  "shows the upstream's model name to clients": [
    (sound, { model }) => withClientMessage(sound, `Temperature must be at most 2. ${model}`),
    "clientMessage has the upstream's reason without the host, the key or the upstream's model name",
  ],
  "hides the reason of a refusal from clients": [
    (sound) => nativeRethrowing(sound, ({ failure, message }) => new ProviderError(failure, message)),
    "clientMessage has the upstream's reason without the host, the key or the upstream's model name",
  ],
  "keeps the key in the cause of an error": [
    (sound, { apiKey }) =>
      nativeRethrowing(
        sound,
        ({ failure, message }) => new ProviderError(failure, message, { cause: { authorization: `Bearer ${apiKey}` } }),
      ),
    "no error contains the key",
  ],
  "ignores the signal": [
    (sound) => (call) => {
      const { signal } = new AbortController();
      return sound({ ...call, signal, cancellation: signal });
    },
    "a call that is aborted before it starts sends no request",
  ],
  "leaves the connection open after an abort": [leavingOpen, "an abort while the upstream is silent rejects the call"],
  "ignores an abort during JSON": [ignoringLateAborts, "an abort during the JSON rejects the call"],
  "ignores an abort during a stream": [
    ignoringLateAborts,
    "an event arrives before the next one is sent, and an abort ends the stream",
  ],
  "waits for the end of a stream before it returns the first event": [
    (sound) => changingStream(sound, readWhole),
    "an event arrives before the next one is sent, and an abort ends the stream",
  ],
  "does not close the connection of a cancelled stream": [
    (sound) => changingStream(sound, (bytes) => ({ ...through(bytes, () => ({})), cancel: () => undefined })),
    "a stream that is cancelled closes its connection",
  ],
};

describe.concurrent("the provider suite over dialects", () => {
  for (const [name, [mutation, detectedBy]] of Object.entries(mutations)) {
    it(`detects a provider that ${name}`, async () => {
      const selected = `responses: ${detectedBy}`;
      const create = (upstream: ScriptedUpstream) => {
        const { sound, responses } = soundProvider(upstream);
        return { provider: withOverrides(sound, { dialects: { responses: mutation(responses, upstream) } }) };
      };
      const dialects = ["responses"] as const;
      expect(await failuresOf((test) => providerContract({ test, dialects, create }), selected)).toEqual([selected]);
    }, 60_000);
  }

  it("detects a dialect that is declared but not tested, and one that is tested but not declared", async () => {
    const detectedBy = "the declared dialects are those that the suite tests";
    const create = (upstream: ScriptedUpstream) => ({ provider: soundProvider(upstream).sound });
    for (const dialects of [[], ["responses", "embeddings"]] as const) {
      expect(await failuresOf((test) => providerContract({ test, dialects, create }), detectedBy)).toEqual([
        detectedBy,
      ]);
    }
  });

  it("has the cases of the listed dialects only", () => {
    expect(namesFor([])).toEqual([]);
    const names = namesFor(["embeddings"]);
    expect(names).toContain("embeddings: the JSON of the upstream is returned unchanged");
    expect(names.filter((name) => !name.startsWith("embeddings: ") || /a stream|event/.test(name))).toEqual([]);
  });
});

/** Returns the names of the cases of single dialects. */
function namesFor(dialects: ("responses" | "embeddings")[]): string[] {
  const names: string[] = [];
  const test = { describe: (_: string, body: () => void) => body(), it: (name: string) => names.push(name) };
  const create = (upstream: ScriptedUpstream) => ({ provider: soundProvider(upstream).sound });
  providerContract({ test, create, dialects });
  return names.filter((name) => /^(?:responses|messages|embeddings|countTokens): /.test(name));
}

function soundProvider({ origin, apiKey }: ScriptedUpstream) {
  const sound = openaiCompatible({ baseURL: `${origin}/v1`, apiKey, dialects: ["responses"] });
  const responses = sound.dialects?.responses;
  if (responses === undefined) throw new Error("The provider must declare the dialect.");
  return { sound, responses };
}

const withClientMessage = (sound: NativeMethod, clientMessage: string) =>
  nativeRethrowing(sound, ({ failure, message }) => new ProviderError(failure, message, { clientMessage }));

const textOf = (body: Uint8Array | string = "") => Buffer.from(body).toString();

/** Runs only one case, since some of the others wait for a timeout. */
