import type { TestRunner } from "@tollgate/contract";

/** Runs a suite with a runner that only collects, all cases at once, and gives the names of those that failed. */
export async function failuresOf(suite: (test: TestRunner) => void): Promise<string[]> {
  const cases: { readonly name: string; readonly body: () => Promise<void> }[] = [];
  suite({ describe: (_, body) => body(), it: (name, body) => cases.push({ name, body }) });
  const outcomes = await Promise.allSettled(cases.map(({ body }) => body()));
  return cases.filter((_, at) => outcomes[at]?.status === "rejected").map(({ name }) => name);
}

/** The sound store with some of its verbs replaced. */
export function withFlaw<Port extends object>(sound: Port, flaw: Partial<Port>): Port {
  return new Proxy(sound, {
    get(target, name) {
      const member: unknown = Reflect.get(name in flaw ? flaw : target, name);
      return typeof member === "function" ? member.bind(target) : member;
    },
  });
}
