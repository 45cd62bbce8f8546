import { copy } from "./announcements.tsx";
import { LongText } from "./long-text.tsx";
import { scrollArea } from "./scroll-area.ts";

interface CodeBlockProps {
  readonly code: string;
  readonly label: string;
  /** False: no button that copies. */
  readonly copyable?: boolean;
}

/** Text as it is, in a box that scrolls, with a button that copies it. It is never read as markup. */
export function CodeBlock({ code, label, copyable = true }: CodeBlockProps) {
  return (
    <div class="code">
      <LongText text={code}>
        {(shown) => (
          <pre {...scrollArea(label)} dir="auto">
            {shown}
          </pre>
        )}
      </LongText>
      {copyable && (
        <button type="button" class="button small" onClick={() => void copy(code)} aria-label={`Copy: ${label}`}>
          Copy
        </button>
      )}
    </div>
  );
}
