import type { NextConfig } from "next";

const config: NextConfig = {
  output: "standalone",
  // The native part of SQLite can be neither bundled nor found by the tracing of files.
  serverExternalPackages: ["@photostructure/sqlite"],
  outputFileTracingIncludes: { "/**": ["node_modules/@photostructure/sqlite/prebuilds/**"] },
};

export default config;
