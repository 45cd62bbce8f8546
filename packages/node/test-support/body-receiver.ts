import type { BodyReceiver } from "@tollgate/core/internal";

/** A receiver with room for everything, which tells what comes of the body. */
export const bodyReceiver = (
  resolve: (body: Uint8Array | undefined) => void,
  reject: (cause: unknown) => void,
): BodyReceiver => ({ open: () => undefined, take: () => true, resolve, reject });
