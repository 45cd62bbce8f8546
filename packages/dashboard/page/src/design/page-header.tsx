import type { ComponentChildren } from "preact";

interface PageHeaderProps {
  readonly title: string;
  /** When the data was loaded, in milliseconds since the epoch. */
  readonly updatedAt?: number | undefined;
  /** The one primary action. */
  readonly children?: ComponentChildren;
}

const clock = new Intl.DateTimeFormat(undefined, { timeStyle: "medium" });

/** The heading of a page with its primary action. */
export function PageHeader({ title, updatedAt, children }: PageHeaderProps) {
  return (
    <header class="page-header">
      <h1>{title}</h1>
      <span class="updated muted">{updatedAt !== undefined && `Updated ${clock.format(updatedAt)}`}</span>
      {children}
    </header>
  );
}
