import express = require("express");

import type { Gateway } from "@tollgate/core" with { "resolution-mode": "import" };

/** A CommonJS host that loads the packages by `import()`, as `module: node16` and `node18` require. */
export async function mount(gateway: Gateway): Promise<express.Express> {
  const { tollgate } = await import("@tollgate/express");
  const { nodeHandler } = await import("@tollgate/node");
  nodeHandler(gateway, { prefix: "/v1" });
  // @ts-expect-error Checks that the types are not `any`: this option does not exist.
  nodeHandler(gateway, { path: "/v1" });
  return express().use("/v1", tollgate(gateway));
}
