/** The formats of an export: values of the query member `format`. */
export const exportFormats = ["csv", "jsonl"] as const;

/** A format of an export. */
export type ExportFormat = (typeof exportFormats)[number];

/** Their media types. */
export const exportTypes: Readonly<Record<ExportFormat, string>> = {
  csv: "text/csv; charset=utf-8",
  jsonl: "application/jsonl; charset=utf-8",
};
