import { messageOf } from "./errors/message-of.ts";

/** What a reader of an option throws, as the problem of that option. */
export function attempt(name: string, read: () => unknown): string[] {
  try {
    read();
    return [];
  } catch (fault) {
    return [`\`${name}\`: ${messageOf(fault)}`];
  }
}

/** The ids that a list has twice. */
export function repeated(name: string, items: readonly { readonly id: string }[]): string[] {
  const seen = new Set<string>();
  return items.flatMap(({ id }) => {
    if (seen.has(id)) return [`\`${name}\` has "${id}" twice. Give each its own id.`];
    seen.add(id);
    return [];
  });
}

/** The members that are there and are no whole numbers of at least 1. */
export function checkNumbers<T extends object>(
  prefix: string,
  values: T,
  names: readonly (keyof T & string)[],
): string[] {
  return names
    .filter((name) => values[name] !== undefined && !isPositiveInteger(values[name]))
    .map((name) => `\`${prefix}${name}\` must be a whole number of at least 1.`);
}

/** What is wrong with a path under which endpoints stand. */
export function checkBasePath(name: string, path: string | undefined): string[] {
  if (path === undefined || /^(\/[^/?#]+)*$/.test(path)) return [];
  return [`\`${name}\` must begin with a slash and not end with one, such as "/router/v1".`];
}

/** True for a whole number of at least 1. */
export const isPositiveInteger = (value: unknown): boolean => Number.isSafeInteger(value) && Number(value) >= 1;
