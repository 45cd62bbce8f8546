import { rewriteRequest } from "./rewrite-request.ts";
import { shortcuts } from "./shortcuts.ts";

/** Parses and writes every request and completion of this process from now on. For benchmarks. */
export function turnOffShortcuts(): void {
  shortcuts.reference = rewriteRequest;
}
