import { nodeBuffer } from "./platform.ts";

const native = nodeBuffer;

/** Memory for `length` bytes. On Node it is not cleared and may come from a shared pool: write all of it. */
export const allocate: (length: number) => Uint8Array =
  native === undefined ? (length) => new Uint8Array(length) : (length) => native.allocUnsafe(length);
