import type { TestRunner } from "@tollgate/contract";

/** Runs the cases of a suite concurrently, or only the one with the given name, and returns the names of those that failed. */
export async function failuresOf(suite: (test: TestRunner) => void, only?: string): Promise<string[]> {
  const cases: { readonly name: string; readonly body: () => Promise<void> }[] = [];
  suite({ describe: (_, body) => body(), it: (name, body) => (only ?? name) === name && cases.push({ name, body }) });
  const results = await Promise.allSettled(cases.map(({ body }) => body()));
  return cases.filter((_, index) => results[index]?.status === "rejected").map(({ name }) => name);
}

/** Returns the store with some of its methods replaced. */
export function withOverrides<Port extends object>(original: Port, overrides: Partial<Port>): Port {
  return new Proxy(original, {
    get(target, name) {
      const member: unknown = Reflect.get(name in overrides ? overrides : target, name);
      return typeof member === "function" ? member.bind(target) : member;
    },
  });
}
