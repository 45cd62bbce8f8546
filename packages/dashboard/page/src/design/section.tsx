import type { ComponentChildren } from "preact";

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
