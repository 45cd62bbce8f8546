import { useSignal } from "@preact/signals";
import type { TargetedKeyboardEvent } from "preact";
import { useEffect, useRef } from "preact/hooks";

interface SearchFieldProps {
  readonly label: string;
  readonly value: string;
  readonly onSearch: (value: string) => void;
}

/** Milliseconds without typing after which a search begins. */
const pauseMs = 250;

/** A search field that `/` focuses. It searches while one types. */
export function SearchField({ label, value, onSearch }: SearchFieldProps) {
  const text = useSignal(value);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => {
    text.value = value;
    return () => clearTimeout(timer.current);
  }, [value]);
  const onInput = (typed: string): void => {
    text.value = typed;
    clearTimeout(timer.current);
    timer.current = setTimeout(() => onSearch(typed.trim()), pauseMs);
  };
  const onKeyDown = (event: TargetedKeyboardEvent<HTMLInputElement>): void => {
    if (event.key !== "Enter") return;
    clearTimeout(timer.current);
    onSearch(text.value.trim());
    // The keys that move through the rows are text in a field.
    event.currentTarget.blur();
  };
  return (
    <input
      type="search"
      class="search"
      data-search
      placeholder={label}
      aria-label={label}
      value={text.value}
      onInput={(event) => onInput(event.currentTarget.value)}
      onKeyDown={onKeyDown}
    />
  );
}
