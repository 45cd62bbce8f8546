import type { Address } from "../state/location.ts";

interface FilterChipsProps {
  readonly address: Address;
  /** The parameters that filter, with their names. */
  readonly filters: Readonly<Record<string, string>>;
}

/** The filters that are set. A click removes one. */
export function FilterChips({ address, filters }: FilterChipsProps) {
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
