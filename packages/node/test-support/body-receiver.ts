import type { BodyReceiver } from "@tollgate/core/internal";

/** A body receiver without a size limit that calls `resolve` or `reject`. */
export const bodyReceiver = (
  resolve: (body: Uint8Array | undefined) => void,
  reject: (cause: unknown) => void,
): BodyReceiver => ({ open: () => undefined, take: () => true, resolve, reject });
