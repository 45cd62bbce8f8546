import { useSignal } from "@preact/signals";
import type { TargetedKeyboardEvent } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { Address } from "../state/location.ts";
import { chosenFrom, typedInto } from "./fields.tsx";

/** The parameters that filter usage, with their names. */
export const usageFilters = {
  model: "Model",
  account: "Account",
  key: "Key",
  target: "Target",
  dialect: "Dialect",
  status: "Status",
  session: "Session",
  end_user: "End user",
  tag: "Tag",
} as const;

/** The parameters that filter requests, with their names. */
export const requestFilters = { any_id: "Request or answer id", ...usageFilters } as const;

/** The parameters that choose requests by how they ended, with their names. */
export const outcomeFilters = { failed: "Failed", refused: "Refused" } as const;

/** Returns the filters that an address sets, as parameters of the API. */
export function filterQuery(
  query: Readonly<Record<string, string>>,
  filters: Readonly<Record<string, string>>,
): Readonly<Record<string, string | undefined>> {
  return Object.fromEntries(
    [...Object.keys(filters), ...Object.keys(outcomeFilters)].map((name) => [name, query[name]]),
  );
}

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
          aria-label={`Remove the filter ${label} ${address.query[name]}`}
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
        aria-label="Filter by"
        {...chosenFrom({
          value: name.value,
          choices: Object.entries(filters),
          onChange: (chosen) => (name.value = chosen),
        })}
      />
      <input
        type="search"
        data-search
        aria-label="Value of the filter"
        placeholder="Add a filter"
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
