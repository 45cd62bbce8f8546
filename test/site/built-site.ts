import { existsSync, readFileSync } from "node:fs";
import type { RequestListener } from "node:http";
import { extname, join, posix } from "node:path";
import { filesUnder } from "../docs/markdown.ts";

const types: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
  ".css": "text/css",
  ".svg": "image/svg+xml",
  ".png": "image/png",
};

/** A page of the built site. */
export interface BuiltPage {
  /** From the root of the site, such as "guides/limits.html". */
  readonly path: string;
  readonly html: string;
}

/** Reads the pages of a built site, except that of errors. */
export const builtPages = (folder: string): readonly BuiltPage[] =>
  filesUnder(folder, [".html"])
    .map((file) => ({ path: posix.relative(folder, file), html: readFileSync(file, "utf8") }))
    .filter(({ path }) => path !== "404.html");

/** The ids of a page. */
export const idsOf = ({ html }: BuiltPage): ReadonlySet<string> =>
  new Set([...html.matchAll(/ id="([^"]*)"/g)].map(([, id = ""]) => decode(id)));

/** The links and sources of a page that lead to the site itself. */
export const internalLinksOf = ({ html }: BuiltPage): readonly string[] =>
  [...html.matchAll(/ (?:href|src)="([^"]*)"/g)]
    .map(([, target = ""]) => decode(target))
    .filter((target) => !/^[a-z][a-z0-9+.-]*:/i.test(target));

/** The page that an address of the site leads to, such as "guides/index.html" of "/guides/". */
export function targetOf(page: string, address: string): string {
  const path = address === "" ? page : posix.join(address.startsWith("/") ? "" : posix.dirname(page), address);
  const file = path.replace(/^\//, "");
  return file === "" || file.endsWith("/") ? `${file}index.html` : file;
}

/** Serves a folder as a static host does. */
export function serveFolder(folder: string): RequestListener {
  return ({ url = "/" }, response) => {
    const file = join(folder, targetOf("", decodeURI(url.split(/[?#]/)[0] ?? "")));
    if (!existsSync(file)) return response.writeHead(404).end();
    const type = types[extname(file)] ?? "text/plain; charset=utf-8";
    return response.writeHead(200, { "content-type": type }).end(readFileSync(file));
  };
}

const decode = (text: string) => text.replaceAll("&amp;", "&").replaceAll("&quot;", '"').replaceAll("&#39;", "'");
