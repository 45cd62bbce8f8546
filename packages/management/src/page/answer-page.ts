import type { EndpointHandler, GatewayResponse, MountServices } from "@tollgate/core/internal";
import { PulledStream } from "../exports/pulled-stream.ts";
import { type BuiltPage, pageHeaders, servePage, slashRedirect } from "./serve-page.ts";

type Exchange = Parameters<EndpointHandler<never>>[1];

/** Answers a request of a page or of one of its assets. The mount without its slash redirects to the one with it. */
export function answerPage(
  { unread }: Pick<MountServices, "unread">,
  { request, headers: ownHeaders }: Exchange,
  page: BuiltPage,
): GatewayResponse {
  Object.assign(ownHeaders, pageHeaders);
  const path = request.path ?? "/";
  const location = path === "/" ? slashRedirect(request.url) : undefined;
  if (location !== undefined) return { status: 308, headers: { ...ownHeaders, location }, body: null };
  const { status, headers, body } = servePage(page, path, {
    ifNoneMatch: request.header("if-none-match"),
    acceptEncoding: request.header("accept-encoding"),
  });
  const answered = body instanceof Uint8Array ? new PulledStream(unread, once(body)) : body;
  return { status, headers: { ...ownHeaders, ...headers }, body: answered };
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array, undefined> {
  yield bytes;
  return undefined;
}
