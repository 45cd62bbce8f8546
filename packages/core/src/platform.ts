/** The two functions of `node:crypto` that are used where they exist. */
export interface NodeCrypto {
  hash(algorithm: "sha256", data: string, encoding: "hex"): string;
  createHmac(algorithm: "sha256", key: string): NodeHmac;
}

interface NodeHmac {
  update(data: string): NodeHmac;
  digest(encoding: "hex"): string;
}

/** Node's own crypto, whose digests are synchronous; undefined on a runtime that has none, where Web Crypto serves. */
export const nodeCrypto: NodeCrypto | undefined = findNodeCrypto();

function findNodeCrypto(): NodeCrypto | undefined {
  const found = builtinModule("node:crypto");
  return isNodeCrypto(found) ? found : undefined;
}

function builtinModule(name: string): unknown {
  const host: unknown = Reflect.get(globalThis, "process");
  if (typeof host !== "object" || host === null || !("getBuiltinModule" in host)) return undefined;
  return typeof host.getBuiltinModule === "function" ? host.getBuiltinModule(name) : undefined;
}

function isNodeCrypto(value: unknown): value is NodeCrypto {
  if (typeof value !== "object" || value === null || !("hash" in value) || !("createHmac" in value)) return false;
  return typeof value.hash === "function" && typeof value.createHmac === "function";
}
