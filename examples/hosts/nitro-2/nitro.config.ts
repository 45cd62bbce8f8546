import { defineNitroConfig } from "nitropack/config";

const { platform, arch } = process;

export default defineNitroConfig({
  compatibilityDate: "2026-11-01",
  externals: {
    // The native part of SQLite, which the tracing of files does not find.
    traceInclude: [
      `./node_modules/@photostructure/sqlite/prebuilds/${platform}-${arch}/@photostructure+sqlite.glibc.node`,
    ],
  },
});
