/** The two functions of a test runner that a suite uses. Vitest, node:test, Mocha and Jest have them. */
export interface TestRunner {
  describe(name: string, body: () => void): unknown;
  it(name: string, body: () => Promise<void>): unknown;
}

/** A store that is opened for one case, and closed after it. */
export interface Opened<Port> {
  /** It may contain data of earlier cases, but only this case uses it while it runs. */
  readonly store: Port;
  /** A second client of the same data, such as another process has. The default is the store itself. */
  readonly peer?: Port;
  /** Advances the clock of the store. The default waits in real time. */
  readonly wait?: (milliseconds: number) => Promise<void>;
  readonly close?: () => void | Promise<void>;
}

/** The options of a suite: the test runner, and a function that opens the store. */
export interface SuiteOptions<Port> {
  readonly test: TestRunner;
  readonly create: () => Opened<Port> | Promise<Opened<Port>>;
}

/** The cases of a suite by name. */
export type Cases<Context> = Readonly<Record<string, (context: Context) => Promise<void>>>;

/** An opened store with the default values filled in. */
export type OpenedWithDefaults<Port> = Required<Omit<Opened<Port>, "close">>;

/** Registers groups of cases with the runner. Each case opens its own store and always closes it. */
export function runSuite<Port, Context>(
  options: SuiteOptions<Port>,
  title: string,
  groups: Readonly<Record<string, Cases<Context>>>,
  around: (opened: OpenedWithDefaults<Port>, run: (context: Context) => Promise<void>) => Promise<void>,
): void {
  const { describe, it } = options.test;
  describe(title, () => {
    for (const [group, cases] of Object.entries(groups)) {
      describe(group, () => {
        for (const [name, check] of Object.entries(cases)) it(name, () => runCase(options, check, around));
      });
    }
  });
}

async function runCase<Port, Context>(
  options: SuiteOptions<Port>,
  check: (context: Context) => Promise<void>,
  around: (opened: OpenedWithDefaults<Port>, run: (context: Context) => Promise<void>) => Promise<void>,
): Promise<void> {
  const opened = await options.create();
  try {
    const { store, peer = store, wait = realTime } = opened;
    await around({ store, peer, wait }, check);
  } finally {
    await opened.close?.();
  }
}

async function realTime(milliseconds: number): Promise<void> {
  const end = Date.now() + milliseconds;
  // A timer can fire up to one millisecond before the wall clock reaches its time.
  while (Date.now() < end) await new Promise((resolve) => setTimeout(resolve, end - Date.now()));
}
