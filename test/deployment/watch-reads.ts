const unread = new WeakMap<object, Set<string>>();

/** Wraps parsed JSON so that {@link unreadMembers} returns the paths of members that nobody has read. */
export function watchReads<Value extends object>(value: Value): Value {
  const paths = new Set<string>();
  const wrapped = watch(value, "", paths);
  unread.set(wrapped, paths);
  return wrapped;
}

/** The paths of the members of a watched value that were not read. */
export const unreadMembers = (watched: object): readonly string[] => [...(unread.get(watched) ?? [])];

function watch<Value extends object>(value: Value, path: string, paths: Set<string>): Value {
  const children = new Map(
    Object.entries(value).map(([name, member]: [string, unknown]) => {
      const place = path === "" ? name : `${path}.${name}`;
      paths.add(place);
      return [name, { place, member: typeof member === "object" && member ? watch(member, place, paths) : member }];
    }),
  );
  return new Proxy(value, {
    get(target, name) {
      const child = typeof name === "string" ? children.get(name) : undefined;
      if (child === undefined) return Reflect.get(target, name);
      paths.delete(child.place);
      return child.member;
    },
  });
}
