/** An endpoint of a mount. In its pattern, `:id` matches one segment of the path, and `*` at the end one or more. */
export interface Route<Name extends string> {
  readonly name: Name;
  readonly method: string;
  readonly pattern: string;
}

/** The endpoint at a path, with the id in the path; or the allowed methods, if the path is known and the method is not. */
export type RouteMatch<Name extends string> =
  | { readonly name: Name; readonly id: string | undefined }
  | { readonly allow: string };

/** The endpoints of one mount. */
export interface RouteTable<Name extends string> {
  /** Each path once, with `:id` and `*` as in the routers of frameworks. */
  readonly paths: readonly string[];
  /** Returns the methods at a path, as in an `Allow` header; undefined for an unknown path. */
  methodsAt(path: string): string | undefined;
  /** Returns undefined for HEAD, OPTIONS and unknown paths, which the host handles. */
  find(method: string, path: string): RouteMatch<Name> | undefined;
}

/** Returns the route table of a mount. */
export function routeTable<Name extends string>(routes: readonly Route<Name>[]): RouteTable<Name> {
  const byPattern = new Map<string, Route<Name>[]>();
  for (const route of routes) byPattern.set(route.pattern, [...(byPattern.get(route.pattern) ?? []), route]);
  const isFixed = (pattern: string): boolean => !/:id|\*$/.test(pattern);
  const fixed = new Map([...byPattern].filter(([pattern]) => isFixed(pattern)));
  const withId = [...byPattern].filter(([pattern]) => !isFixed(pattern));
  const parameterized = withId.map(([pattern, choices]) => ({ expression: toExpression(pattern), choices }));
  const matchWithId = (path: string): PathMatch<Name> | undefined => {
    for (const { expression, choices } of parameterized) {
      const id = expression.exec(path)?.[1];
      if (id !== undefined) return { choices, id };
    }
    return undefined;
  };
  return {
    paths: [...byPattern.keys()],
    methodsAt(path) {
      const choices = fixed.get(path) ?? matchWithId(path)?.choices;
      return choices && methodsOf(choices);
    },
    find(method, path) {
      if (method === "HEAD" || method === "OPTIONS") return undefined;
      const choices = fixed.get(path);
      if (choices !== undefined) return choose(choices, method, undefined);
      const match = matchWithId(path);
      return match && choose(match.choices, method, match.id);
    },
  };
}

interface PathMatch<Name extends string> {
  readonly choices: readonly Route<Name>[];
  readonly id: string;
}

function choose<Name extends string>(
  choices: readonly Route<Name>[],
  method: string,
  id: string | undefined,
): RouteMatch<Name> {
  const match = choices.find((route) => route.method === method);
  if (match !== undefined) return { name: match.name, id };
  return { allow: methodsOf(choices) };
}

const methodsOf = (choices: readonly Route<string>[]): string => choices.map(({ method }) => method).join(", ");

function toExpression(pattern: string): RegExp {
  return new RegExp(`^${pattern.replace(":id", "([^/]+)").replace(/\*$/, "(.+)")}$`);
}
