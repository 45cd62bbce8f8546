import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root, run } from "./run-command.mjs";
import { digestOf, runUnlessCurrent } from "./run-unless-current.mjs";

/** The pnpm of package.json, as npx takes it. */
export const { packageManager } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));

/** Installs the dependencies of the lockfile, unless they are installed. */
export function installDependencies() {
  const folders = [".", ...["packages", "examples"].flatMap(foldersIn), "docs", "test"];
  runUnlessCurrent({
    name: "dependencies",
    sources: () => `${process.version} ${digestOf({ paths: manifestsOf(folders), by: "contents" })}`,
    // A folder without dependencies has no node_modules, so this compares which have.
    outputs: () => `${installedIn(folders).join()} ${digestOf({ paths: ["node_modules/.modules.yaml"], by: "times" })}`,
    run: () => {
      console.error("Installing the dependencies. The first time takes one to three minutes.");
      const install = ["install", "--frozen-lockfile", "--loglevel=error"];
      run("npx", ["--yes", "--loglevel=error", packageManager, ...install], { isProgress: true });
    },
  });
}

/** @param {string} parent */
const foldersIn = (parent) => readdirSync(join(root, parent)).map((name) => `${parent}/${name}`);

/** @param {readonly string[]} folders */
const manifestsOf = (folders) => [
  "pnpm-lock.yaml",
  "pnpm-workspace.yaml",
  ...folders.map((folder) => `${folder}/package.json`),
];

/** @param {readonly string[]} folders */
const installedIn = (folders) => folders.filter((folder) => existsSync(join(root, folder, "node_modules")));
