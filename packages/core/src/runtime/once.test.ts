import { expect, it, vi } from "vitest";
import { once } from "./once.ts";

it.each([[undefined], [{ exact: true }]])("makes %o on the first call, and keeps it", (value) => {
  const make = vi.fn(() => value);
  const read = once(make);
  expect(make).not.toHaveBeenCalled();
  expect([read(), read()]).toEqual([value, value]);
  expect(make).toHaveBeenCalledOnce();
});
