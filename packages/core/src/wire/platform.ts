/** Node's Readable class, as far as it is used. @whatwg-node/fetch accepts a Readable in place of a web stream. */
export type NodeReadableClass = new (
  options: NodeReadableOptions,
) => ReadableStream<Uint8Array> & {
  push(chunk: Uint8Array | null): boolean;
  destroy(cause?: unknown): void;
  on(event: "error", listener: () => void): void;
  pipe(destination: NodeDestination, options?: object): NodeDestination;
};

/** What a Readable can be piped to. */
export interface NodeDestination {
  destroy(): void;
}

/** How a Readable reads and ends. */
export interface NodeReadableOptions {
  read(): void;
  destroy(cause: unknown, done: (cause: unknown) => void): void;
}

/** The used parts of Node's modules. */
interface Builtins {
  readonly "node:stream": { readonly Readable: NodeReadableClass };
  /** Its digests are synchronous. */
  readonly "node:crypto": {
    hash(algorithm: "sha256", data: string | Uint8Array, encoding: "hex"): string;
  };
  readonly "node:diagnostics_channel": {
    subscribe<Message>(channel: string, listener: (message: Message) => void): void;
    unsubscribe<Message>(channel: string, listener: (message: Message) => void): void;
  };
  readonly "node:buffer": {
    isAscii(bytes: Uint8Array): boolean;
    isUtf8(bytes: Uint8Array): boolean;
    /** Returns a Buffer, which can decode itself. */
    transcode(bytes: Uint8Array, from: "utf8", to: "utf16le"): { toString(encoding: "utf16le"): string };
    /** A Buffer may be a view of a shared memory pool. */
    readonly Buffer: {
      from(text: string): Uint8Array;
      allocUnsafe(length: number): Uint8Array & {
        write(text: string, offset: number, encoding: "utf8" | "hex"): number;
      };
      byteLength(text: string, encoding?: "utf8" | "hex"): number;
      readonly prototype: {
        readonly indexOf: (this: Uint8Array, text: string) => number;
        readonly compare: (this: Uint8Array, target: Uint8Array, targetStart: number, targetEnd: number) => number;
      };
    };
  };
}

declare const process: { getBuiltinModule?<Name extends keyof Builtins>(name: Name): Builtins[Name] | undefined };

/** Returns a module of Node, or undefined on a runtime without it. */
export const builtin = <Name extends keyof Builtins>(name: Name): Builtins[Name] | undefined =>
  typeof process === "undefined" ? undefined : process.getBuiltinModule?.(name);

const crypto = builtin("node:crypto");

/** Node's crypto, or undefined on a runtime without one-shot digests, where Web Crypto is used. */
export const nodeCrypto: typeof crypto = typeof crypto?.hash === "function" ? crypto : undefined;

const buffer = builtin("node:buffer");

/** Node's Buffer, or undefined on a runtime without one, where the web platform APIs are used. */
export const nodeBuffer: Builtins["node:buffer"]["Buffer"] | undefined = buffer?.Buffer;

/** Node's text functions, or undefined on a runtime that lacks one. Some runtimes export a `transcode` that throws. */
export const nodeText: typeof buffer = transcodes() ? buffer : undefined;

function transcodes(): boolean {
  try {
    return buffer?.transcode(Uint8Array.of(0xc3, 0xa9), "utf8", "utf16le").toString("utf16le") === "é";
  } catch {
    return false;
  }
}

/** Node's diagnostics channels; undefined on a runtime without them. */
export const nodeChannels: Builtins["node:diagnostics_channel"] | undefined = builtin("node:diagnostics_channel");
