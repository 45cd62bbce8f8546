import { isHeaderName } from "../../../wire/header-name.ts";

/** Headers of the connection, which belong to the client that sends (RFC 9110, sections 7.2, 7.6 and 10.1). */
const connection =
  /^(?:host|content-length|transfer-encoding|connection|keep-alive|te|trailer|upgrade|expect|proxy-.*)$/;

/** Headers without which the metadata services of clouds answer nobody. */
const metadata =
  /^(?:metadata|metadata-flavor|x-google-metadata-request|x-aws-ec2-metadata-.*|x-aliyun-ecs-metadata-.*)$/;

/** True for a header, in any case, that no webhook may set: one of the connection, or of the metadata services of clouds. */
export function isReservedHeader(name: string): boolean {
  const lower = name.toLowerCase();
  return connection.test(lower) || metadata.test(lower);
}

/** Why a webhook cannot have a header of this name; undefined: it can. */
export function headerNameProblem(name: string): string | undefined {
  const shown = JSON.stringify(name);
  if (!isHeaderName(name)) return `${shown} is no name of a header. Use letters, digits and -.`;
  if (!isReservedHeader(name)) return undefined;
  return metadata.test(name.toLowerCase())
    ? `${shown} is for the metadata services of clouds, which no webhook may ask. Remove it.`
    : `${shown} is set by the client that sends the webhook. Remove it.`;
}
