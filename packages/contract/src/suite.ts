/** The two functions of a test runner that a suite uses, as vitest, node:test, Mocha and Jest have them. */
export interface TestRunner {
  describe(name: string, body: () => void): unknown;
  it(name: string, body: () => Promise<void>): unknown;
}

/** What a suite is given for one case, and gives back when the case has ended. */
export interface Opened<Port> {
  /** It may hold what earlier cases left behind, but nobody else uses it while the case runs. */
  readonly store: Port;
  /** A second client of the same data, as another process has it; absent: the store itself. */
  readonly peer?: Port;
  /** Lets time pass on the store's clock; absent: real time. */
  readonly wait?: (milliseconds: number) => Promise<void>;
  readonly close?: () => void | Promise<void>;
}

/** What a suite needs: the runner, and how to open what is to be tested. */
export interface SuiteOptions<Port> {
  readonly test: TestRunner;
  readonly create: () => Opened<Port> | Promise<Opened<Port>>;
}

/** Cases of a suite: what holds, and the check of it. */
export type Cases<Context> = Readonly<Record<string, (context: Context) => Promise<void>>>;

/** What every case gets: an opened store with nothing left to default. */
export type OpenedFully<Port> = Required<Omit<Opened<Port>, "close">>;

/** Registers groups of cases with the runner; each case opens its own store and closes it, whatever happens. */
export function runSuite<Port, Context>(
  options: SuiteOptions<Port>,
  title: string,
  groups: Readonly<Record<string, Cases<Context>>>,
  around: (opened: OpenedFully<Port>, run: (context: Context) => Promise<void>) => Promise<void>,
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
  around: (opened: OpenedFully<Port>, run: (context: Context) => Promise<void>) => Promise<void>,
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
  // A timer may fire up to a millisecond before the wall clock agrees.
  while (Date.now() < end) await new Promise((resolve) => setTimeout(resolve, end - Date.now()));
}
