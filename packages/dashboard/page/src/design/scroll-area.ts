/** The attributes of a box that scrolls. It is a named region with a tab stop, so that the keyboard can scroll it. */
export const scrollArea = (label: string) => ({ role: "region", "aria-label": label, tabIndex: 0 }) as const;
