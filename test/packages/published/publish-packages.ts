import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { packPackages } from "../packed-packages.mjs";

const run = promisify(execFile);

/** Packs the built packages and publishes them to a registry that accepts any token. */
export async function publishPackages(registry: string): Promise<void> {
  const home = mkdtempSync(join(tmpdir(), "tollgate-publish-"));
  try {
    writeFileSync(join(home, ".npmrc"), `${registry.replace(/^http:/, "")}/:_authToken=any\n`);
    const tarballs = packPackages().map(({ folder, tarball }) => {
      const path = join(home, `${folder}.tgz`);
      writeFileSync(path, tarball);
      return path;
    });
    // Provenance needs the identity of a workflow.
    const options = ["--registry", registry, "--provenance=false", "--loglevel=error"];
    const env = { PATH: process.env["PATH"], HOME: home };
    const publish = async (): Promise<void> => {
      for (let path = tarballs.pop(); path !== undefined; path = tarballs.pop())
        await run("npm", ["publish", path, ...options], { env });
    };
    await Promise.all([publish(), publish(), publish()]);
  } finally {
    rmSync(home, { recursive: true });
  }
}
