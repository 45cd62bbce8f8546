import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

// Copies the version of this package to the constant that the management API returns.
const { version } = JSON.parse(readFileSync(join(import.meta.dirname, "package.json"), "utf8"));
const file = join(import.meta.dirname, "src/version.ts");
writeFileSync(
  file,
  readFileSync(file, "utf8").replace(/"[^"]*";$/m, () => `${JSON.stringify(version)};`),
);
