import type { ComponentChildren } from "preact";

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
