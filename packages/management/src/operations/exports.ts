import type { OperationContext } from "./context.ts";
import type { OperationCall, OperationHead, Route } from "./operation.ts";

/** The objects of an export, one part after another, each when it is wanted. */
export type Lines = AsyncGenerator<readonly object[], undefined>;

/** An operation that answers objects of several kinds as JSON Lines. */
export interface ExportOperation extends OperationHead {
  /** The action of its entry in the audit log. */
  readonly action: string;
  /** Reads the objects. */
  lines(context: OperationContext, call: Pick<OperationCall<object, undefined>, "operator" | "id">): Lines;
}

/** Defines an operation that answers objects of several kinds as JSON Lines. */
export const defineExport = <Path extends string>(
  definition: Omit<ExportOperation, "method"> & Pick<Route<"GET", Path>, "path">,
): ExportOperation & Route<"GET", Path> => ({ ...definition, method: "GET" });
