/** True for a token, which the name of a header must be (RFC 9110, section 5.6.2). */
export const isHeaderName = (name: string): boolean => token.test(name);

const token = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;

/** Headers that the HTTP client sets (RFC 9110, sections 7.2, 7.6 and 10.1). */
const connection =
  /^(?:host|content-length|transfer-encoding|connection|keep-alive|te|trailer|upgrade|expect|proxy-.*)$/;

/** Headers that cloud metadata services require in requests. */
const metadata =
  /^(?:metadata|metadata-flavor|x-google-metadata-request|x-aws-ec2-metadata-.*|x-aliyun-ecs-metadata-.*)$/;

/** Why no webhook may set a header, in any case: the HTTP client does, or cloud metadata services ask for it. Undefined: it may. */
export function reservedHeader(name: string): "client" | "metadata" | undefined {
  const lower = name.toLowerCase();
  if (connection.test(lower)) return "client";
  return metadata.test(lower) ? "metadata" : undefined;
}
