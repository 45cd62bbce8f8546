/** An array of numbers of one kind. */
interface Column<Numbers> {
  set(numbers: Numbers): void;
}

/** What a column holds, in a larger one. */
export function grown<Numbers extends Column<Numbers>>(column: Numbers, larger: Numbers): Numbers {
  larger.set(column);
  return larger;
}
