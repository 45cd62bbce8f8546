import { ProviderError } from "../../errors/provider-error.ts";
import { decodeUtf8 } from "../../wire/bytes.ts";
import { tryParseJson } from "../../wire/json.ts";

/** The formats of OpenAI's `encoding_format`. */
export type VectorFormat = "float" | "base64";

/**
 * Converts the JSON of a vector to the other format: base64 is that of its numbers as float32, little endian. Throws a
 * ProviderError for anything else.
 * Follows https://platform.openai.com/docs/api-reference/embeddings/create#embeddings-create-encoding_format
 */
export function convertVector(json: Uint8Array, format: VectorFormat): string {
  const vector = tryParseJson(decodeUtf8(json) ?? "");
  const converted = format === "base64" ? toBase64(vector) : toNumbers(vector);
  if (converted === undefined) {
    throw new ProviderError(
      "invalid_response",
      "The upstream sent a vector that is neither numbers nor base64 of them.",
    );
  }
  return JSON.stringify(converted);
}

const bytesPerNumber = 4;

function toBase64(vector: unknown): string | undefined {
  if (!Array.isArray(vector) || !vector.every(Number.isFinite)) return undefined;
  const bytes = new Uint8Array(vector.length * bytesPerNumber);
  const view = new DataView(bytes.buffer);
  for (const [index, value] of vector.entries()) view.setFloat32(index * bytesPerNumber, value, true);
  let binary = "";
  for (let at = 0; at < bytes.length; at += bytesAtOnce) {
    binary += String.fromCharCode(...bytes.subarray(at, at + bytesAtOnce));
  }
  return btoa(binary);
}

/** Fewer than the arguments that a function may have in every runtime. */
const bytesAtOnce = 8_192;

function toNumbers(vector: unknown): readonly number[] | undefined {
  const binary = typeof vector === "string" ? decodeBase64(vector) : undefined;
  if (binary === undefined || binary.length % bytesPerNumber !== 0) return undefined;
  const bytes = Uint8Array.from(binary, (letter) => letter.charCodeAt(0));
  const view = new DataView(bytes.buffer);
  const numbers = Array.from({ length: bytes.length / bytesPerNumber }, (_, index) =>
    view.getFloat32(index * bytesPerNumber, true),
  );
  return numbers.every(Number.isFinite) ? numbers : undefined;
}

function decodeBase64(text: string): string | undefined {
  try {
    return atob(text);
  } catch {
    return undefined;
  }
}
