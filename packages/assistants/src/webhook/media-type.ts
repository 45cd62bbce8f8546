/** A parsed content-type header (RFC 9110, section 8.3.1). */
export interface MediaType {
  /** Type and subtype in lower case; undefined when the header is absent or malformed. */
  readonly essence: string | undefined;
  readonly charset: string | undefined;
}

const essenceSyntax = /^[a-z0-9!#$&^_.+-]{1,127}\/[a-z0-9!#$&^_.+-]{1,127}$/;
const charsetSyntax = /;\s*charset\s*=\s*"?([^\s;"]{1,40})/i;
const textual =
  /^text\/|[/+](?:xml|yaml|json)$|^application\/(?:x-ndjson|jsonl|json-seq|javascript|x-www-form-urlencoded|graphql|sql|x-yaml|toml)$/;

/** Parses a content-type header. Of several values, joined with commas, it uses the first. */
export function readMediaType(header: string | undefined): MediaType {
  const [first = ""] = (header ?? "").slice(0, 1_000).split(",");
  const essence = (first.split(";")[0] ?? "").trim().toLowerCase();
  return { essence: essenceSyntax.test(essence) ? essence : undefined, charset: charsetSyntax.exec(first)?.[1] };
}

/** True for `application/json` and every type that ends in `+json` (RFC 6839). */
export const isJsonType = ({ essence }: MediaType): boolean => essence !== undefined && /[/+]json$/.test(essence);

/** True for a type whose content is text. */
export const isTextType = ({ essence }: MediaType): boolean => essence !== undefined && textual.test(essence);
