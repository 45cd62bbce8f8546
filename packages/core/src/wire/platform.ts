/** What is used of `node:crypto`, whose digests are synchronous. */
export interface NodeCrypto {
  hash(algorithm: "sha256", data: string, encoding: "hex"): string;
  createHmac(algorithm: "sha256", key: string): NodeHmac;
}

interface NodeHmac {
  update(data: string): NodeHmac;
  digest(encoding: "hex"): string;
}

/** What is used of Node's Buffer. A Buffer that it makes may be a view of memory that it shares with others. */
export interface NodeBuffer {
  from(text: string): Uint8Array;
  allocUnsafe(length: number): Uint8Array;
  byteLength(text: string): number;
  readonly prototype: {
    readonly compare: (this: Uint8Array, target: Uint8Array, targetStart: number, targetEnd: number) => number;
  };
}

/** Bytes of Node, which become a string at once. */
export interface NodeBytes extends Uint8Array {
  toString(encoding?: "utf16le"): string;
}

/** What is used of Node's functions for text in bytes. */
export interface NodeText {
  isAscii(bytes: Uint8Array): boolean;
  isUtf8(bytes: Uint8Array): boolean;
  transcode(bytes: Uint8Array, from: "utf8", to: "utf16le"): NodeBytes;
}

/** What is used of Node's Readable. */
export interface NodeReadable {
  push(chunk: Uint8Array | null): boolean;
  destroy(cause?: unknown): void;
  on(event: "error", listener: () => void): void;
  pipe(destination: NodeDestination, options?: object): NodeDestination;
}

interface NodeDestination {
  destroy(): void;
}

/** Node's class of readable streams; @whatwg-node/fetch takes its objects where a web stream may stand. */
export type NodeReadableClass = new (options: NodeReadableOptions) => NodeReadable & ReadableStream<Uint8Array>;

interface NodeReadableOptions {
  read(): void;
  destroy(cause: unknown, done: (cause: unknown) => void): void;
}

interface Builtins {
  readonly "node:stream": { readonly Readable: NodeReadableClass };
  readonly "node:crypto": NodeCrypto;
  readonly "node:buffer": NodeText & { readonly Buffer: NodeBuffer };
}

declare const process: { getBuiltinModule?<Name extends keyof Builtins>(name: Name): Builtins[Name] | undefined };

const builtin = <Name extends keyof Builtins>(name: Name): Builtins[Name] | undefined =>
  typeof process === "undefined" ? undefined : process.getBuiltinModule?.(name);

const crypto = builtin("node:crypto");

/** Node's own crypto, or undefined on a runtime without its one-shot digests, where Web Crypto serves. */
export const nodeCrypto: NodeCrypto | undefined = typeof crypto?.hash === "function" ? crypto : undefined;

const buffer = builtin("node:buffer");

/** Node's Buffer, or undefined on a runtime that has none, where the web platform's own way serves. */
export const nodeBuffer: NodeBuffer | undefined = buffer?.Buffer;

/** Node's functions for text in bytes, or undefined on a runtime that lacks one; some export a `transcode` that throws. */
export const nodeText: NodeText | undefined = transcodes(buffer) ? buffer : undefined;

function transcodes(text: NodeText | undefined): text is NodeText {
  try {
    return text?.transcode(Uint8Array.of(0xc3, 0xa9), "utf8", "utf16le").toString("utf16le") === "é";
  } catch {
    return false;
  }
}

const Readable = builtin("node:stream")?.Readable;

/**
 * Node's Readable, which @whatwg-node takes as the body of a Response; undefined on a runtime that has none. When it
 * fails, what it is piped to breaks off with it.
 */
export const nodeReadable: NodeReadableClass | undefined = Readable && breakOffTogether(Readable);

/** Node would leave the destination open, and end the process for a failure that nobody listens to. */
function breakOffTogether(Readable: NodeReadableClass): NodeReadableClass {
  return class extends Readable {
    constructor(options: NodeReadableOptions) {
      super(options);
      this.on("error", () => undefined);
    }

    override pipe(destination: NodeDestination, options?: object): NodeDestination {
      this.on("error", () => destination.destroy());
      return super.pipe(destination, options);
    }
  };
}
