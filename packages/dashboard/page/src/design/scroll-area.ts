/** The attributes of a box that scrolls. It is a named group with a tab stop, so that the keyboard can scroll it. */
export const scrollArea = (label: string) => ({ role: "group", "aria-label": label, tabIndex: 0 }) as const;
