/** What is used of Node's Buffer. A Buffer that it makes may be a view of memory that it shares with others. */
export interface NodeBuffer {
  from(text: string): Uint8Array;
  allocUnsafe(length: number): Uint8Array;
  byteLength(text: string): number;
  readonly prototype: { readonly indexOf: (this: Uint8Array, byte: number, from: number) => number };
}

/** Node's Buffer; undefined on a runtime that has none, where the caller goes the way of the web platform. */
export const nodeBuffer: NodeBuffer | undefined = findNodeBuffer();

function findNodeBuffer(): NodeBuffer | undefined {
  const found = builtinModule("node:buffer");
  if (typeof found !== "object" || found === null || !("Buffer" in found)) return undefined;
  return isNodeBuffer(found.Buffer) ? found.Buffer : undefined;
}

function builtinModule(name: string): unknown {
  const host: unknown = Reflect.get(globalThis, "process");
  if (typeof host !== "object" || host === null || !("getBuiltinModule" in host)) return undefined;
  return typeof host.getBuiltinModule === "function" ? host.getBuiltinModule(name) : undefined;
}

function isNodeBuffer(value: unknown): value is NodeBuffer {
  return typeof value === "function" && "from" in value && "allocUnsafe" in value && "byteLength" in value;
}
