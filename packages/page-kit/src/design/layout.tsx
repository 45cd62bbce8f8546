import type { ComponentChildren } from "preact";
import { fill, texts } from "../texts.ts";

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
      <span class="updated muted">
        {updatedAt !== undefined && fill(texts.shell.updated, { time: clock.format(updatedAt) })}
      </span>
      {children}
    </header>
  );
}

interface SectionProps {
  readonly title: string;
  /** 3 in a panel, below the title of the panel; 2 on a page. */
  readonly level?: 2 | 3;
  readonly actions?: ComponentChildren;
  readonly children: ComponentChildren;
}

/** A part of a panel or page under its heading. */
export function Section({ title, level = 3, actions, children }: SectionProps) {
  return (
    <section class="section">
      <div class="section-header">
        {level === 2 ? <h2>{title}</h2> : <h3>{title}</h3>}
        {actions}
      </div>
      {children}
    </section>
  );
}

/** Names with their values. Undefined values are left out. */
export function Facts({ facts }: { readonly facts: readonly (readonly [string, ComponentChildren])[] }) {
  return (
    <dl class="facts">
      {facts
        .filter(([, value]) => value !== undefined)
        .map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  );
}

interface EmptyStateProps {
  readonly title: string;
  /** Why it is empty and what to do. */
  readonly children: ComponentChildren;
  /** The one next action. */
  readonly action?: ComponentChildren;
}

/** What an empty page or list shows. */
export function EmptyState({ title, children, action }: EmptyStateProps) {
  return (
    <div class="empty">
      <p class="empty-title">{title}</p>
      <p class="muted">{children}</p>
      {action}
    </div>
  );
}
