import { createRequire } from "node:module";

// Serves a registry of Tollgate's packages on a free port: `node serve-registry.mjs VERDACCIO FOLDER`, with the folder of
// Verdaccio's package and that of its files. It passes requests for other packages on to the registry of npm. Prints its URL.
const [verdaccio = "", folder = ""] = process.argv.slice(2);
const { runServer } = createRequire(import.meta.url)(verdaccio);

const own = { access: "$all", publish: "$all" };
const app = await runServer({
  configPath: `${folder}/config.yaml`,
  self_path: `${folder}/config.yaml`,
  storage: `${folder}/storage`,
  uplinks: { npm: { url: process.env.npm_config_registry ?? "https://registry.npmjs.org/" } },
  packages: { "@tollgate/*": own, "create-tollgate": own, "**": { access: "$all", proxy: "npm" } },
  auth: {},
  web: { enable: false },
  log: { type: "stdout", format: "json", level: "error" },
});
const server = app.listen(0, "127.0.0.1", () => console.log(`Registry: http://127.0.0.1:${server.address().port}`));
