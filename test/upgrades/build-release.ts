import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { isBuiltin } from "node:module";
import { tmpdir } from "node:os";
import { join, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { bundleWorkers, type WorkerBundle } from "../support/bundle-workers.ts";

const released = fileURLToPath(new URL("released", import.meta.url));
const workspace = fileURLToPath(new URL("../../packages", import.meta.url));
const source = fileURLToPath(new URL("../soak/gateway/gateway-process.ts", import.meta.url));

/** The names of the releases from which the present state can be reached. */
export const releases: readonly string[] = readdirSync(released).filter((name) => name !== "README.md");

/**
 * Bundles the process of a gateway into `outDir`, with the packages of a release, or with the sources if there is none.
 * Returns the path of the program. The dependencies of the packages are those of the workspace.
 */
export async function buildGateway(outDir: string, release?: string): Promise<string> {
  const packages = mkdtempSync(join(tmpdir(), "tollgate-release-"));
  try {
    const esbuildPlugins = release === undefined ? [] : [packagesIn(extract(join(released, release), packages))];
    await bundleWorkers({ entry: [source], outDir, esbuildPlugins });
  } finally {
    rmSync(packages, { recursive: true });
  }
  return join(outDir, "gateway-process.cjs");
}

/** Extracts each tarball to a folder with the name of its package, without the scope. Returns the folder of them all. */
function extract(tarballs: string, packages: string): string {
  for (const file of readdirSync(tarballs)) {
    const folder = join(packages, file.replace(/^tollgate-(.*?)-\d.*$/, "$1"));
    mkdirSync(folder);
    const options = ["-xzf", join(tarballs, file), "-C", folder, "--strip-components=1"];
    const { status, stderr } = spawnSync("tar", options, { encoding: "utf8" });
    if (status !== 0) throw new Error(`${file} cannot be extracted. Pack the release again. ${stderr}`);
  }
  return packages;
}

type Plugin = NonNullable<WorkerBundle["esbuildPlugins"]>[number];

/** Resolves the packages of this workspace to extracted ones, and the dependencies of these to those of the workspace. */
function packagesIn(packages: string): Plugin {
  return {
    name: "released packages",
    setup: ({ onResolve, resolve }) => {
      onResolve({ filter: /^@tollgate\// }, ({ path }) => {
        const [, name = "", ...entry] = path.split("/");
        const { exports } = JSON.parse(readFileSync(join(packages, name, "package.json"), "utf8"));
        return { path: join(packages, name, exports[[".", ...entry].join("/")].default) };
      });
      onResolve({ filter: /^[^./]/ }, async ({ path, importer, kind }) => {
        if (!importer.startsWith(packages) || path.startsWith("@tollgate/") || isBuiltin(path)) return undefined;
        const [name = ""] = importer.slice(packages.length + 1).split(sep);
        const found = await resolve(path, { kind, resolveDir: join(workspace, name) });
        // Dependencies that no package has any more are those of the tests.
        return found.errors.length === 0 ? found : resolve(path, { kind, resolveDir: import.meta.dirname });
      });
    },
  };
}
