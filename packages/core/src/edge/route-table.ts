/** One endpoint of a mount. In its pattern `:id` stands for one segment of the path. */
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
  /** Each path once, with `:id` as Express, Fastify and Hono write parameters. */
  readonly paths: readonly string[];
  /** HEAD, OPTIONS and unknown paths are the host's. */
  find(method: string, path: string): RouteMatch<Name> | undefined;
}

/** Makes the table of a mount's endpoints. */
export function routeTable<Name extends string>(routes: readonly Route<Name>[]): RouteTable<Name> {
  const byPattern = new Map<string, Route<Name>[]>();
  for (const route of routes) byPattern.set(route.pattern, [...(byPattern.get(route.pattern) ?? []), route]);
  const withId = [...byPattern].filter(([pattern]) => pattern.includes(":id"));
  const parametrised = withId.map(([pattern, choices]) => ({ expression: toExpression(pattern), choices }));
  return {
    paths: [...byPattern.keys()],
    find(method, path) {
      if (method === "HEAD" || method === "OPTIONS") return undefined;
      const fixed = path.includes(":") ? undefined : byPattern.get(path);
      if (fixed !== undefined) return choose(fixed, method, undefined);
      for (const { expression, choices } of parametrised) {
        const id = expression.exec(path)?.[1];
        if (id !== undefined) return choose(choices, method, id);
      }
      return undefined;
    },
  };
}

function choose<Name extends string>(
  choices: readonly Route<Name>[],
  method: string,
  id: string | undefined,
): RouteMatch<Name> {
  for (const { name, method: own } of choices) if (own === method) return { name, id };
  return { allow: choices.map(({ method: own }) => own).join(", ") };
}

function toExpression(pattern: string): RegExp {
  return new RegExp(`^${pattern.replace(":id", "([^/]+)")}$`);
}
