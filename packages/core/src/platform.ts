/** What is used of Node's Buffer. A Buffer that it makes may be a view of memory that it shares with others. */
export interface NodeBuffer {
  from(text: string): Uint8Array;
  allocUnsafe(length: number): Uint8Array;
  byteLength(text: string): number;
  readonly prototype: { readonly indexOf: (this: Uint8Array, byte: number, from: number) => number };
}

declare const process: { getBuiltinModule?(name: "node:buffer"): { readonly Buffer: NodeBuffer } | undefined };

/** Node's Buffer; undefined on a runtime that has none, where the caller goes the way of the web platform. */
export const nodeBuffer: NodeBuffer | undefined =
  typeof process === "undefined" ? undefined : process.getBuiltinModule?.("node:buffer")?.Buffer;
