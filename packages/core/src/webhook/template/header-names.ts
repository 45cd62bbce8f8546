const token = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;

/** Headers of the connection, which belong to the client that sends (RFC 9110, sections 7.2, 7.6 and 10.1). */
const connection =
  /^(?:host|content-length|transfer-encoding|connection|keep-alive|te|trailer|upgrade|expect|proxy-.*)$/;

/** Headers without which the metadata services of clouds answer nobody. */
const metadata =
  /^(?:metadata|metadata-flavor|x-google-metadata-request|x-aws-ec2-metadata-.*|x-aliyun-ecs-metadata-.*)$/;

/** Why a webhook cannot have a header of this name; undefined: it can. */
export function headerNameProblem(name: string): string | undefined {
  const shown = JSON.stringify(name);
  if (!token.test(name)) return `${shown} is no name of a header. Use letters, digits and -.`;
  const lower = name.toLowerCase();
  if (connection.test(lower)) return `${shown} is set by the client that sends the webhook. Remove it.`;
  if (metadata.test(lower))
    return `${shown} is for the metadata services of clouds, which no webhook may ask. Remove it.`;
  return undefined;
}
