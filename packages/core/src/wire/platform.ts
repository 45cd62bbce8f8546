/** The used part of `node:crypto`, whose digests are synchronous. */
export interface NodeCrypto {
  hash(algorithm: "sha256", data: string | Uint8Array, encoding: "hex"): string;
}

/** The used part of Node's Buffer. A Buffer may be a view of a shared memory pool. */
export interface NodeBuffer {
  from(text: string, encoding?: "hex"): Uint8Array;
  allocUnsafe(length: number): Uint8Array;
  byteLength(text: string): number;
  readonly prototype: {
    readonly indexOf: (this: Uint8Array, text: string) => number;
    readonly compare: (this: Uint8Array, target: Uint8Array, targetStart: number, targetEnd: number) => number;
  };
}

/** A Node Buffer, which can decode itself. */
export interface NodeBytes extends Uint8Array {
  toString(encoding?: "utf16le"): string;
}

/** The used part of Node's text functions in `node:buffer`. */
export interface NodeText {
  isAscii(bytes: Uint8Array): boolean;
  isUtf8(bytes: Uint8Array): boolean;
  transcode(bytes: Uint8Array, from: "utf8", to: "utf16le"): NodeBytes;
}

/** The used part of Node's Readable. */
export interface NodeReadable {
  push(chunk: Uint8Array | null): boolean;
  destroy(cause?: unknown): void;
  on(event: "error", listener: () => void): void;
  pipe(destination: NodeDestination, options?: object): NodeDestination;
}

/** What a Readable can be piped to. */
export interface NodeDestination {
  destroy(): void;
}

/** Node's Readable class. @whatwg-node/fetch accepts a Readable in place of a web stream. */
export type NodeReadableClass = new (options: NodeReadableOptions) => NodeReadable & ReadableStream<Uint8Array>;

/** How a Readable reads and ends. */
export interface NodeReadableOptions {
  read(): void;
  destroy(cause: unknown, done: (cause: unknown) => void): void;
}

/** The used part of `node:diagnostics_channel`. */
export interface NodeChannels {
  subscribe<Message>(channel: string, listener: (message: Message) => void): void;
  unsubscribe<Message>(channel: string, listener: (message: Message) => void): void;
}

interface Builtins {
  readonly "node:stream": { readonly Readable: NodeReadableClass };
  readonly "node:crypto": NodeCrypto;
  readonly "node:diagnostics_channel": NodeChannels;
  readonly "node:buffer": NodeText & { readonly Buffer: NodeBuffer };
}

declare const process: { getBuiltinModule?<Name extends keyof Builtins>(name: Name): Builtins[Name] | undefined };

/** Returns a module of Node, or undefined on a runtime without it. */
export const builtin = <Name extends keyof Builtins>(name: Name): Builtins[Name] | undefined =>
  typeof process === "undefined" ? undefined : process.getBuiltinModule?.(name);

const crypto = builtin("node:crypto");

/** Node's crypto, or undefined on a runtime without one-shot digests, where Web Crypto is used. */
export const nodeCrypto: NodeCrypto | undefined = typeof crypto?.hash === "function" ? crypto : undefined;

const buffer = builtin("node:buffer");

/** Node's Buffer, or undefined on a runtime without one, where the web platform APIs are used. */
export const nodeBuffer: NodeBuffer | undefined = buffer?.Buffer;

/** Node's text functions, or undefined on a runtime that lacks one. Some runtimes export a `transcode` that throws. */
export const nodeText: NodeText | undefined = transcodes(buffer) ? buffer : undefined;

function transcodes(text: NodeText | undefined): text is NodeText {
  try {
    return text?.transcode(Uint8Array.of(0xc3, 0xa9), "utf8", "utf16le").toString("utf16le") === "é";
  } catch {
    return false;
  }
}

/** Node's diagnostics channels; undefined on a runtime without them. */
export const nodeChannels: NodeChannels | undefined = builtin("node:diagnostics_channel");
