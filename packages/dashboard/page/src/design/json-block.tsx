import type { Json } from "../api/common.ts";
import { CodeBlock } from "./code-block.tsx";

/** JSON with indentation. */
export function JsonBlock({ value, label }: { readonly value: Json; readonly label: string }) {
  return <CodeBlock code={JSON.stringify(value, null, 2)} label={label} />;
}
