import { unknownMember } from "./members.ts";

/**
 * Throws a TypeError for options that are not an object, and for unknown members, with the nearest known name. The type
 * of `known` requires every member of the options.
 */
export function requireKnown<Options extends object>(
  factory: string,
  options: Options,
  known: Readonly<Record<keyof Options, true>>,
): void {
  if (typeof options !== "object" || options === null)
    throw new TypeError(`${factory}: the options must be an object.`);
  const names = Object.keys(known);
  const unknown = Object.keys(options).filter((name) => !names.includes(name));
  if (unknown.length === 0) return;
  const problems = unknown.map((name) => `\`${name}\` ${unknownMember("its options", names, name)}`);
  throw new TypeError(
    `${factory}: ${problems.map((problem) => (/[.?]$/.test(problem) ? problem : `${problem}.`)).join(" ")}`,
  );
}

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
