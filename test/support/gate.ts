/** A door that a test opens. */
export interface Gate {
  readonly opened: Promise<void>;
  open(): void;
}

/** Makes one that is closed. */
export function closedGate(): Gate {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open: () => open() };
}
