import type { Mountable } from "@tollgate/core";

/** Diagnostics that print nothing. */
export const silentDiagnostics: Mountable["diagnostics"] = {
  describeMount: () => undefined,
  missed: () => undefined,
  warn: () => undefined,
};
