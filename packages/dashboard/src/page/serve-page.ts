import type { PageFile, PageFiles } from "./load-page.ts";
import { pageHeaders } from "./page-headers.ts";
import { pageNames } from "./page-routes.ts";

/** A response of the page. `body` is null for 304. */
export interface PageResponse {
  readonly status: 200 | 304 | 404;
  readonly headers: Record<string, string>;
  readonly body: string | Uint8Array | null;
}

/** The headers of a request that decide how a file is answered. */
export interface PageRequest {
  readonly ifNoneMatch?: string | undefined;
  readonly acceptEncoding?: string | undefined;
}

/** Returns the response for a path inside the mount. HTML is never stored; assets are, since their names have a hash. */
export function servePage(files: PageFiles, path: string, request: PageRequest): PageResponse {
  const name = path.slice(1);
  const isPage = pageNames.includes(name);
  const file = Object.hasOwn(files, isPage ? "index.html" : name) ? files[isPage ? "index.html" : name] : undefined;
  if (file === undefined || (name === "index.html" && !isPage)) return missing;
  const coding = contentCoding(file, request.acceptEncoding);
  const etag = `"${file.tag}${coding === undefined ? "" : `-${coding}`}"`;
  const headers = {
    ...pageHeaders,
    etag,
    "cache-control": isPage ? "no-store" : "private, max-age=31536000, immutable",
    vary: "accept-encoding, cookie, authorization",
  };
  if (matches(request.ifNoneMatch, etag)) return { status: 304, headers, body: null };
  const typed = { ...headers, "content-type": file.type };
  const encoded = coding && file[coding];
  return coding === undefined || encoded === undefined
    ? { status: 200, headers: typed, body: file.text }
    : { status: 200, headers: { ...typed, "content-encoding": coding }, body: decode(encoded) };
}

const missing: PageResponse = {
  status: 404,
  headers: { ...pageHeaders, "content-type": "text/plain; charset=utf-8", "cache-control": "no-store" },
  body: "There is no page at this address. Open the address at which the dashboard is mounted.",
};

/** The content codings of files, the smallest first. */
const codings = ["br", "gzip"] as const;

/** Returns the coding that a client accepts (RFC 9110, 12.5.3); undefined for the text as it is. A weight above 0 accepts. */
function contentCoding(file: PageFile, acceptEncoding = ""): (typeof codings)[number] | undefined {
  const weights = new Map(
    acceptEncoding
      .toLowerCase()
      .split(",")
      .map((part) => part.split(";").map((piece) => piece.trim()))
      .map(([coding = "", weight = "q=1"]) => [coding, Number(weight.replace(/^q=/, ""))]),
  );
  return codings.find((coding) => file[coding] !== undefined && (weights.get(coding) ?? weights.get("*") ?? 0) > 0);
}

const decode = (base64: string): Uint8Array => Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));

/** True if the client has the file: an `If-None-Match` of `*` or with its tag, weak or strong (RFC 9110, 13.1.2). */
const matches = (ifNoneMatch: string | undefined, etag: string): boolean =>
  (ifNoneMatch ?? "").split(",").some((tag) => ["*", etag].includes(tag.trim().replace(/^W\//, "")));
