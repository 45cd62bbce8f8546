import type { PageFile, PageFiles } from "./load-page.ts";
import { pageHeaders } from "./page-headers.ts";
import { pageNames } from "./page-routes.ts";

/** A response of the page. `body` is null for 304. */
export interface PageResponse {
  readonly status: 200 | 304 | 404;
  readonly headers: Record<string, string>;
  readonly body: string | null;
}

/** Returns the response for a path inside the mount. HTML is never stored; assets are, since their names have a hash. */
export function servePage(files: PageFiles, path: string, ifNoneMatch: string | undefined): PageResponse {
  const name = path.slice(1);
  const isPage = pageNames.includes(name);
  const file = Object.hasOwn(files, isPage ? "index.html" : name) ? files[isPage ? "index.html" : name] : undefined;
  if (file === undefined || (name === "index.html" && !isPage)) return missing;
  const headers = {
    ...pageHeaders,
    etag: file.etag,
    "cache-control": isPage ? "no-store" : "private, max-age=31536000, immutable",
    vary: "cookie, authorization",
  };
  if (matches(ifNoneMatch, file)) return { status: 304, headers, body: null };
  return { status: 200, headers: { ...headers, "content-type": file.type }, body: file.text };
}

const missing: PageResponse = {
  status: 404,
  headers: { ...pageHeaders, "content-type": "text/plain; charset=utf-8", "cache-control": "no-store" },
  body: "There is no page at this address. Open the address at which the dashboard is mounted.",
};

/** True if the client has the file: an `If-None-Match` of `*` or with its tag, weak or strong (RFC 9110, 13.1.2). */
const matches = (ifNoneMatch: string | undefined, { etag }: PageFile): boolean =>
  (ifNoneMatch ?? "").split(",").some((tag) => ["*", etag].includes(tag.trim().replace(/^W\//, "")));
