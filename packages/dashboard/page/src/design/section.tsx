import type { ComponentChildren } from "preact";

interface SectionProps {
  readonly title: string;
  readonly actions?: ComponentChildren;
  readonly children: ComponentChildren;
}

/** A part of a panel or page under its heading. */
export function Section({ title, actions, children }: SectionProps) {
  return (
    <section class="section">
      <div class="section-header">
        <h3>{title}</h3>
        {actions}
      </div>
      {children}
    </section>
  );
}
