import { isHeaderName } from "../../../wire/header-name.ts";

/** Headers that the HTTP client sets (RFC 9110, sections 7.2, 7.6 and 10.1). */
const connection =
  /^(?:host|content-length|transfer-encoding|connection|keep-alive|te|trailer|upgrade|expect|proxy-.*)$/;

/** Headers that cloud metadata services require in requests. */
const metadata =
  /^(?:metadata|metadata-flavor|x-google-metadata-request|x-aws-ec2-metadata-.*|x-aliyun-ecs-metadata-.*)$/;

/** True for the name of a header, in any case, that no webhook may set: one of the HTTP client or of cloud metadata services. */
export function isReservedHeader(name: string): boolean {
  const lower = name.toLowerCase();
  return connection.test(lower) || metadata.test(lower);
}

/** Returns why a webhook must not set a header of this name; undefined: it may. */
export function headerNameProblem(name: string): string | undefined {
  const shown = JSON.stringify(name);
  if (!isHeaderName(name)) return `${shown} is not a valid header name. Use letters, digits and -.`;
  if (!isReservedHeader(name)) return undefined;
  return metadata.test(name.toLowerCase())
    ? `${shown} is a header of cloud metadata services, which webhooks must not call. Remove it.`
    : `${shown} is set by the HTTP client. Remove it.`;
}
