import { defineConfig, type Options } from "tsup";

const folder = "test/exact-money";

const common: Options = {
  outDir: `${folder}/dist`,
  target: "node20",
  platform: "node",
  tsconfig: "test/tsconfig.json",
  esbuildOptions: (options) => {
    options.conditions = ["@tollgate/source"];
  },
};

/** The suite with its drivers, and the process of a gateway, which starts faster as one file. Both are made of the sources. */
export default defineConfig([
  {
    ...common,
    entry: [`${folder}/main.ts`],
    format: "esm",
    external: [/^[^./@]/, "@photostructure/sqlite"],
    noExternal: [/^@tollgate/],
  },
  {
    ...common,
    entry: [`${folder}/tollgate/gateway-process.ts`],
    format: "cjs",
    // @photostructure/sqlite stays external because it loads its native library by path.
    noExternal: [/^(?!@photostructure)/],
    external: ["@photostructure/sqlite"],
  },
]);
