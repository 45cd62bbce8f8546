import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { loadPage } from "./load-page.ts";
import { pageNames } from "./page-routes.ts";
import { servePage } from "./serve-page.ts";

const files = await loadPage();
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
      expect(servePage(files, address.slice(1), undefined).status).toBe(200);
    }
  });

  it("contain no script or style in the HTML, which the policy would refuse", () => {
    expect(html).not.toMatch(/<script(?![^>]* src=)|<style|\sstyle=|\son\w+=/);
  });
});

describe("a response of the page", () => {
  it.each(pageNames)('is the HTML at "/%s", which is never stored', (name) => {
    const { status, headers, body } = servePage(files, `/${name}`, undefined);
    expect([status, body]).toEqual([200, html]);
    expect(headers).toMatchObject({ "cache-control": "no-store", "content-type": "text/html; charset=utf-8" });
  });

  it("has the policy of the page and nothing else", () => {
    expect(servePage(files, "/usage", undefined).headers["content-security-policy"]).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
        "font-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; require-trusted-types-for 'script'",
    );
  });

  it("lets browsers keep assets, but not caches that people share", () => {
    const { headers } = servePage(files, `/${script}`, undefined);
    expect(headers["cache-control"]).toBe("private, max-age=31536000, immutable");
  });

  it("is 304 without a body for a client that has the file", () => {
    const { etag = "" } = servePage(files, `/${script}`, undefined).headers;
    for (const tags of [etag, `W/${etag}`, `"other", ${etag}`, "*"]) {
      expect(servePage(files, `/${script}`, tags)).toMatchObject({ status: 304, body: null });
    }
    expect(servePage(files, `/${script}`, '"other"').status).toBe(200);
  });

  it.each(["/index.html", "/assets/other.js", "/usage/", "/constructor", "/__proto__"])("is 404 at %s", (path) => {
    expect(servePage(files, path, undefined).status).toBe(404);
  });
});
