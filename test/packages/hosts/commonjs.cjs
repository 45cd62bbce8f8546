const { readdirSync, readFileSync } = require("node:fs");
const { join } = require("node:path");
const { probe } = require("./probe.cjs");

const packages = join(__dirname, "../../../packages");
for (const folder of readdirSync(packages)) {
  const {
    name,
    exports,
    private: isPrivate,
  } = JSON.parse(readFileSync(join(packages, folder, "package.json"), "utf8"));
  if (isPrivate) continue;
  const entries = Object.keys(exports).filter((entry) => !entry.endsWith(".json"));
  for (const entry of entries) require(join(name, entry));
}

probe(require).then((results) => console.log(JSON.stringify(results)));
