/** One endpoint of a mount. In its pattern `:id` stands for one segment of the path, and `*` at its end for one or more. */
export interface Route<Name extends string> {
  readonly name: Name;
  readonly method: string;
  readonly pattern: string;
}

/** What stands at a path: an endpoint, with the id in its path; or, for a known path asked with another method, the methods that it allows. */
export type RouteMatch<Name extends string> =
  | { readonly name: Name; readonly id: string | undefined }
  | { readonly allow: string };

/** The endpoints of one mount. */
export interface RouteTable<Name extends string> {
  /** Each path once, with `:id` and `*` as the routers of frameworks write parameters. */
  readonly paths: readonly string[];
  /** The methods that an endpoint at this path takes, as in an `Allow` header; undefined where there is none. */
  methodsAt(path: string): string | undefined;
  /** HEAD, OPTIONS and unknown paths are the host's. */
  find(method: string, path: string): RouteMatch<Name> | undefined;
}

/** Makes the table of a mount's endpoints. */
export function routeTable<Name extends string>(routes: readonly Route<Name>[]): RouteTable<Name> {
  const byPattern = new Map<string, Route<Name>[]>();
  for (const route of routes) byPattern.set(route.pattern, [...(byPattern.get(route.pattern) ?? []), route]);
  const isFixed = (pattern: string): boolean => !/:id|\*$/.test(pattern);
  const fixed = new Map([...byPattern].filter(([pattern]) => isFixed(pattern)));
  const withId = [...byPattern].filter(([pattern]) => !isFixed(pattern));
  const parametrised = withId.map(([pattern, choices]) => ({ expression: toExpression(pattern), choices }));
  const withIdAt = (path: string): Place<Name> | undefined => {
    for (const { expression, choices } of parametrised) {
      const id = expression.exec(path)?.[1];
      if (id !== undefined) return { choices, id };
    }
    return undefined;
  };
  return {
    paths: [...byPattern.keys()],
    methodsAt(path) {
      const choices = fixed.get(path) ?? withIdAt(path)?.choices;
      return choices && methodsOf(choices);
    },
    find(method, path) {
      if (method === "HEAD" || method === "OPTIONS") return undefined;
      const choices = fixed.get(path);
      if (choices !== undefined) return choose(choices, method, undefined);
      const place = withIdAt(path);
      return place && choose(place.choices, method, place.id);
    },
  };
}

interface Place<Name extends string> {
  readonly choices: readonly Route<Name>[];
  readonly id: string;
}

function choose<Name extends string>(
  choices: readonly Route<Name>[],
  method: string,
  id: string | undefined,
): RouteMatch<Name> {
  for (const { name, method: own } of choices) if (own === method) return { name, id };
  return { allow: methodsOf(choices) };
}

const methodsOf = (choices: readonly Route<string>[]): string => choices.map(({ method }) => method).join(", ");

function toExpression(pattern: string): RegExp {
  return new RegExp(`^${pattern.replace(":id", "([^/]+)").replace(/\*$/, "(.+)")}$`);
}
