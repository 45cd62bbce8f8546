import { useSignal } from "@preact/signals";
import type { TargetedKeyboardEvent } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { Address } from "../state/location.ts";
import { fill, texts } from "../texts.ts";
import { chosenFrom, typedInto } from "./fields.tsx";

interface FilterProps {
  readonly address: Address;
  /** The parameters that filter, with their names. */
  readonly filters: Readonly<Record<string, string>>;
}

/** The filters that are set. A click removes one. */
export function FilterChips({ address, filters }: FilterProps) {
  const set = Object.entries(filters).filter(([name]) => address.query[name] !== undefined);
  return (
    <>
      {set.map(([name, label]) => (
        <a
          key={name}
          class="chip"
          href={address.href({ [name]: undefined })}
          aria-label={fill(texts.filters.remove, { filter: `${label} ${address.query[name]}` })}
        >
          <span class="muted">{label}</span> {address.query[name]} <span aria-hidden="true">×</span>
        </a>
      ))}
    </>
  );
}

/** A field that adds a filter to the address. `/` focuses it. */
export function AddFilter({ address, filters }: FilterProps) {
  const name = useSignal(Object.keys(filters)[0] ?? "");
  const value = useSignal("");
  return (
    <form
      class="add-filter"
      onSubmit={(event) => {
        event.preventDefault();
        const typed = value.value.trim();
        if (typed === "") return;
        value.value = "";
        address.go({ [name.value]: typed });
        // The keys that move through the rows are text in a field.
        if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
      }}
    >
      <select
        aria-label={texts.filters.by}
        {...chosenFrom({
          value: name.value,
          choices: Object.entries(filters),
          onChange: (chosen) => (name.value = chosen),
        })}
      />
      <input
        type="search"
        data-search
        aria-label={texts.filters.value}
        placeholder={texts.filters.add}
        {...typedInto(value)}
      />
    </form>
  );
}

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
