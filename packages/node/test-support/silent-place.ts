import type { Mountable } from "@tollgate/core";

/** A place that prints nothing. */
export const silentPlace: Mountable["place"] = {
  describe: () => undefined,
  missed: () => undefined,
  warn: () => undefined,
};
