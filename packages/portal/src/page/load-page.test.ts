import { gzipSync } from "node:zlib";
import { servePage } from "@tollgate/management/internal";
import { expect, it } from "vitest";
import { loadPage, pageNames } from "./load-page.ts";

const page = await loadPage();
const html = page.files["index.html"]?.text ?? "";

it("the files of the page have less than 40 KB together when they are compressed", () => {
  const bytes = Object.values(page.files).reduce((sum, { text }) => sum + gzipSync(text).byteLength, 0);
  expect(bytes).toBeGreaterThan(10_000);
  expect(bytes).toBeLessThan(40_000);
});

it.each(pageNames)(
  'the page is served at "/%s", and contains no script or style that its policy would refuse',
  (name) => {
    expect(servePage(page, `/${name}`, {})).toMatchObject({ status: 200, body: html });
    expect(html).not.toMatch(/<script(?![^>]* src=)|<style|\sstyle=|\son\w+=/);
  },
);
