import { brotliDecompressSync, gunzipSync, gzipSync } from "node:zlib";
import { servePage, slashRedirect } from "@tollgate/management/internal";
import { describe, expect, it } from "vitest";
import { loadPage, pageNames } from "./load-page.ts";

const page = await loadPage();
const { files } = page;
const html = files["index.html"]?.text ?? "";
const script = Object.keys(files).find((path) => path.endsWith(".js")) ?? "";

describe("the files of the page", () => {
  it("have less than 150 KB together when they are compressed", () => {
    const bytes = Object.values(files).reduce((sum, { text }) => sum + gzipSync(text).byteLength, 0);
    expect(bytes).toBeGreaterThan(10_000);
    expect(bytes).toBeLessThan(150_000);
  });

  it("refer to each other by relative addresses that are served", () => {
    const addresses = [...html.matchAll(/(?:href|src)="([^"]*)"/g)].map(([, address]) => address ?? "");
    expect(addresses.length).toBeGreaterThan(2);
    for (const address of addresses) {
      expect(address).toMatch(/^\.\//);
      expect(servePage(page, address.slice(1), {}).status).toBe(200);
    }
  });

  it("contain no script or style in the HTML, which the policy would refuse", () => {
    expect(html).not.toMatch(/<script(?![^>]* src=)|<style|\sstyle=|\son\w+=/);
  });
});

describe("a response of the page", () => {
  it.each(pageNames)('is the HTML at "/%s", which is never stored', (name) => {
    const { status, headers, body } = servePage(page, `/${name}`, {});
    expect([status, body]).toEqual([200, html]);
    expect(headers).toMatchObject({ "cache-control": "no-store", "content-type": "text/html; charset=utf-8" });
  });

  it("has the policy of the page and nothing else", () => {
    expect(servePage(page, "/usage", {}).headers["content-security-policy"]).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
        "font-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; require-trusted-types-for 'script'",
    );
  });

  it("lets browsers keep assets, but not caches that people share", () => {
    const { headers } = servePage(page, `/${script}`, {});
    expect(headers["cache-control"]).toBe("private, max-age=31536000, immutable");
  });

  it("is 304 without a body for a client that has the file", () => {
    const { etag = "" } = servePage(page, `/${script}`, {}).headers;
    for (const tags of [etag, `W/${etag}`, `"other", ${etag}`, "*"]) {
      expect(servePage(page, `/${script}`, { ifNoneMatch: tags })).toMatchObject({ status: 304, body: null });
    }
    expect(servePage(page, `/${script}`, { ifNoneMatch: '"other"' }).status).toBe(200);
  });

  it.each([
    ["gzip, deflate, br, zstd", "br"],
    ["gzip, deflate", "gzip"],
    ["GZIP;q=0.5, br;q=0", "gzip"],
    ["*", "br"],
    ["identity", undefined],
    ["br;q=0, *;q=0", undefined],
    [undefined, undefined],
  ])("of a script for Accept-Encoding %s is encoded as %s, with a tag of its own", (acceptEncoding, coding) => {
    const { headers, body } = servePage(page, `/${script}`, { acceptEncoding });
    expect(headers["content-encoding"]).toBe(coding);
    expect(headers["vary"]).toContain("accept-encoding");
    const bytes = typeof body === "string" ? Buffer.from(body) : (body ?? new Uint8Array());
    const decoded = coding === "br" ? brotliDecompressSync(bytes) : coding === "gzip" ? gunzipSync(bytes) : bytes;
    expect(Buffer.from(decoded).toString()).toBe(files[script]?.text);
    expect(headers["etag"]?.includes(`-${coding}`)).toBe(coding !== undefined);
    const again = servePage(page, `/${script}`, { acceptEncoding, ifNoneMatch: headers["etag"] });
    expect(again.status).toBe(304);
  });

  it.each(["/index.html", "/assets/other.js", "/usage/", "/constructor", "/__proto__"])("is 404 at %s", (path) => {
    expect(servePage(page, path, {}).status).toBe(404);
  });
});

describe("the address without its slash", () => {
  it.each([
    ["/tollgate", "./tollgate/"],
    ["/ops/tollgate?id=1?2", "./tollgate/?id=1?2"],
    ["https://host.test/ops/tollgate", "./tollgate/"],
    ["/ops/a:b", "./a:b/"],
    ["//evil.test", "./evil.test/"],
    ["/tollgate/", undefined],
    ["/tollgate/?a=/b", undefined],
    ["https://host.test", undefined],
  ])("redirects %s to %s", (url, location) => {
    expect(slashRedirect(url)).toBe(location);
  });

  it("stays below the origin, whatever the path is", () => {
    for (const url of ["//evil.test", "/\\evil.test", "/x//evil.test"]) {
      const location = slashRedirect(url) ?? "";
      expect(new URL(location, "https://host.test/").origin).toBe("https://host.test");
    }
  });
});
