import { createHash } from "node:crypto";
import { requireMethods } from "@tollgate/core/internal";
import type { RedisClient } from "./client.ts";

/** A Lua script and its SHA-1, by which Redis caches it. */
export class Script {
  readonly text: string;
  readonly sha1: string;

  constructor(text: string) {
    this.text = text;
    this.sha1 = createHash("sha1").update(text).digest("hex");
  }
}

/** Runs a script whose reply is a list of integers. Rejects when the call fails or the reply has another form. */
export type RunScript = (script: Script, keys: string[], args: string[]) => Promise<readonly number[]>;

/** Runs scripts on the host's client by their hash, and by their text when Redis does not have them in its cache. */
export function scriptRunner(client: RedisClient): RunScript {
  const { byHash, byText } = callsOf(client);
  return async (script, keys, args) => {
    try {
      return numbersOf(await byHash(script.sha1, keys, args));
    } catch (error) {
      if (!isUnknownScript(error)) throw error;
      return numbersOf(await byText(script.text, keys, args));
    }
  };
}

type Call = (script: string, keys: string[], args: string[]) => Promise<unknown>;

function callsOf(client: RedisClient): { readonly byHash: Call; readonly byText: Call } {
  requireMethods("redisLimiter", client, ["eval"], "Pass a connected client of redis or ioredis, not its address.");
  if ("evalSha" in client) {
    return {
      byHash: (sha1, keys, args) => client.evalSha(sha1, { keys, arguments: args }),
      byText: (text, keys, args) => client.eval(text, { keys, arguments: args }),
    };
  }
  return {
    byHash: (sha1, keys, args) => client.evalsha(sha1, keys.length, ...keys, ...args),
    byText: (text, keys, args) => client.eval(text, keys.length, ...keys, ...args),
  };
}

const isUnknownScript = (error: unknown): boolean => error instanceof Error && error.message.startsWith("NOSCRIPT");

function numbersOf(reply: unknown): readonly number[] {
  // A client can be configured to return numbers as text.
  const numbers = Array.isArray(reply) ? reply.map(Number) : [Number.NaN];
  if (numbers.every(Number.isSafeInteger)) return numbers;
  throw new Error(
    "Redis returned an unexpected reply to a script. Pass the limiter a client without reply transformers.",
  );
}

/**
 * The hash tag of a subject's keys. Redis Cluster assigns a key to a slot by the text in its first braces, so all keys
 * of one subject are in one slot. Braces in the subject are escaped.
 */
export const hashTag = (subject: string): string => `{${subject.replace(/[%{}]/g, encodeURIComponent)}}`;
