/**
 * Throws a TypeError unless a value has these methods, which a store calls on the host's client. The message does not
 * quote the value, since a connection string contains a password.
 */
export function requireMethods(factory: string, value: unknown, methods: readonly string[], advice: string): void {
  const isObject = typeof value === "object" && value !== null;
  const missing = methods.filter((method) => !isObject || typeof Reflect.get(value, method) !== "function");
  if (missing.length === 0) return;
  const received =
    value === null ? "null" : typeof value === "string" ? "a string" : `a value without ${missing.join(", ")}`;
  throw new TypeError(`${factory} got ${received}. ${advice}`);
}
