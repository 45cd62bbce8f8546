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
