import type { Route } from "@tollgate/core/internal";

/** Allows nothing but what the page itself contains. Everything comes from the origin of the page, and text never becomes markup. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "font-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
].join("; ");

/** The headers of every response of a page. */
export const pageHeaders: Readonly<Record<string, string>> = {
  "content-security-policy": contentSecurityPolicy,
  "x-content-type-options": "nosniff",
  "referrer-policy": "same-origin",
  "cross-origin-opener-policy": "same-origin",
};

/** Names the routes of the page, of its assets, and of the visit that ends a login by the browser's own dialog. */
export const pageRoutes = (names: readonly string[]): readonly Route<string>[] =>
  [...names, "assets/:id", "sign-out"].map((path) => ({ name: "page", method: "GET", pattern: `/${path}` }));

/**
 * Returns the response for a path inside the mount, which depends on two headers of the request. HTML is never stored;
 * assets are, since their names have a hash.
 */
export function servePage(
  { files, names }: BuiltPage,
  path: string,
  request: { readonly ifNoneMatch?: string | undefined; readonly acceptEncoding?: string | undefined },
): { readonly status: number; readonly headers: Record<string, string>; readonly body: string | Uint8Array | null } {
  const name = path.slice(1);
  const isPage = names.includes(name);
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

const missing = {
  status: 404,
  headers: { ...pageHeaders, "content-type": "text/plain; charset=utf-8", "cache-control": "no-store" },
  body: "There is no page at this address. Open the address at which the page is mounted.",
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

/**
 * Returns the relative address with a slash at the end for a URL without one; undefined if it has one. It is relative, so
 * that it holds behind a proxy that changes the prefix. The query is kept.
 */
export function slashRedirect(url: string): string | undefined {
  const [path = "", query] = url.replace(/^[a-z]+:\/\/[^/?]*/i, "").split(/\?(.*)/s);
  if (path === "" || path.endsWith("/")) return undefined;
  return `./${path.slice(path.lastIndexOf("/") + 1)}/${query === undefined ? "" : `?${query}`}`;
}

/** A page as the build embeds it. */
export interface BuiltPage {
  /** The segments of the path at which the page is served; "" is the mount itself. Its state is in the query. */
  readonly names: readonly string[];
  /** The files by their path, such as "index.html" and "assets/index-1a2b3c.js". */
  readonly files: Readonly<Record<string, PageFile>>;
}

interface PageFile {
  /** The media type with its charset. */
  readonly type: string;
  /** Identifies the text. */
  readonly tag: string;
  readonly text: string;
  /** The text compressed by Brotli, in base64. Absent for a short one. */
  readonly br?: string;
  /** The text compressed by gzip, in base64. Absent for a short one. */
  readonly gzip?: string;
}
