import { resolve } from "node:path";
import { runInNewContext } from "node:vm";
import { build } from "esbuild";
import { expect, it } from "vitest";

const core = resolve(import.meta.dirname, "../../packages/core");

/** The source files of core of which a bundle of this program contains code, each with its bytes, minified. */
async function bundled(program: string): Promise<ReadonlyMap<string, number>> {
  const { metafile } = await build({
    stdin: { contents: program, resolveDir: core, loader: "ts" },
    bundle: true,
    minify: true,
    write: false,
    metafile: true,
    format: "esm",
    platform: "node",
    packages: "external",
    alias: {
      "@tollgate/core/openapi": `${core}/src/http/openapi/index.ts`,
      "@tollgate/core": `${core}/src/index.ts`,
    },
    absWorkingDir: `${core}/src`,
  });
  const [output] = Object.values(metafile.outputs);
  return new Map(
    Object.entries(output?.inputs ?? {})
      .filter(([, { bytesInOutput }]) => bytesInOutput > 0)
      .map(([path, { bytesInOutput }]) => [path, bytesInOutput]),
  );
}

const host = `import { createGateway, memoryBalanceStore, memoryKeyStore, openaiCompatible } from "@tollgate/core";
console.log(createGateway, memoryBalanceStore, memoryKeyStore, openaiCompatible);`;

it("a host bundles the OpenAPI documents only if it imports them", async () => {
  const withDocuments = await bundled(
    `${host}\nimport { routerApi } from "@tollgate/core/openapi";\nconsole.log(routerApi);`,
  );
  const isDocument = ([path]: [string, number]) => path.startsWith("http/openapi/");
  expect([...(await bundled(host))].filter(isDocument)).toEqual([]);
  expect([...withDocuments].filter(isDocument).map(([path]) => path)).toContain("http/openapi/router.json");
});

it.each(["@tollgate/core", "@tollgate/assistants", "@tollgate/hono", "@tollgate/dashboard", "@tollgate/management"])(
  "%s loads on a runtime that has no module and no global of Node",
  async (name) => {
    const { outputFiles } = await build({
      stdin: { contents: `export * from "${name}";`, resolveDir: import.meta.dirname },
      bundle: true,
      write: false,
      format: "iife",
      globalName: "loaded",
      // It refuses modules of Node.
      platform: "browser",
      conditions: ["@tollgate/source", "worker"],
    });
    const { URL, TextEncoder, TextDecoder, Request, Response, Headers, ReadableStream, FormData, crypto } = globalThis;
    const web = { URL, TextEncoder, TextDecoder, Request, Response, Headers, ReadableStream, FormData, crypto };
    const loaded: unknown = runInNewContext(`${outputFiles[0]?.text}; loaded`, web);
    expect(Object.keys(loaded ?? {})).not.toEqual([]);
  },
);
