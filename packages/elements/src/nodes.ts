type Child = Node | string | undefined;

/** Properties of an element: texts become attributes, and functions listeners of the event of their name. */
type Properties = Readonly<Record<string, string | boolean | ((event: Event) => unknown) | undefined>>;

/** Makes an element. A text is always a text node, and never markup. */
export function node<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  properties: Properties = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[Tag] {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (typeof value === "function") made.addEventListener(name, value);
    else if (value !== undefined && value !== false) made.setAttribute(name, value === true ? "" : value);
  }
  made.append(...children.filter((child) => child !== undefined));
  return made;
}
