import { useSignal } from "@preact/signals";
import type { Address } from "../state/location.ts";

interface AddFilterProps {
  readonly address: Address;
  /** The parameters that one may filter by, with their names. */
  readonly filters: Readonly<Record<string, string>>;
}

/** A field that adds a filter to the address. `/` focuses it. */
export function AddFilter({ address, filters }: AddFilterProps) {
  const names = Object.keys(filters);
  const name = useSignal(names[0] ?? "");
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
      <select aria-label="Filter by" value={name.value} onChange={(event) => (name.value = event.currentTarget.value)}>
        {names.map((each) => (
          <option key={each} value={each}>
            {filters[each]}
          </option>
        ))}
      </select>
      <input
        type="search"
        data-search
        aria-label="Value of the filter"
        placeholder="Add a filter"
        value={value.value}
        onInput={(event) => (value.value = event.currentTarget.value)}
      />
    </form>
  );
}
