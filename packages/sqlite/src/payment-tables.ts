/**
 * The migration that adds payments, the events whose payment is not known, and automatic top-ups. `disputes` and `event` are
 * JSON. `reference` is the id of the payment at its provider, once the customer has paid.
 */
export const paymentTables = `
  CREATE TABLE tollgate_payment (
    id TEXT PRIMARY KEY,
    account TEXT NOT NULL,
    provider TEXT NOT NULL,
    live INTEGER NOT NULL CHECK (live IN (0, 1)),
    kind TEXT NOT NULL,
    saves_method INTEGER NOT NULL CHECK (saves_method IN (0, 1)),
    product TEXT NOT NULL,
    price INTEGER NOT NULL,
    currency TEXT NOT NULL,
    credit INTEGER NOT NULL CHECK (credit >= 0),
    bonus INTEGER NOT NULL CHECK (bonus >= 0),
    created_at INTEGER NOT NULL,
    state TEXT NOT NULL,
    checkout TEXT,
    checkout_url TEXT,
    checkout_expires_at INTEGER,
    reference TEXT,
    paid_at INTEGER,
    tax INTEGER,
    invoice_url TEXT,
    receipt_url TEXT,
    customer TEXT,
    method TEXT,
    refunded INTEGER NOT NULL CHECK (refunded >= 0),
    refunded_at INTEGER,
    taken_credit INTEGER NOT NULL CHECK (taken_credit BETWEEN 0 AND credit),
    taken_bonus INTEGER NOT NULL CHECK (taken_bonus BETWEEN 0 AND bonus),
    disputes TEXT NOT NULL,
    postings INTEGER NOT NULL,
    problem TEXT
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX tollgate_payment_account ON tollgate_payment (account, created_at, id);
  CREATE INDEX tollgate_payment_time ON tollgate_payment (created_at, id);
  CREATE INDEX tollgate_payment_state ON tollgate_payment (state, created_at, id);
  CREATE INDEX tollgate_payment_open ON tollgate_payment (account, state) WHERE state IN ('pending', 'open', 'processing');
  CREATE INDEX tollgate_payment_reference ON tollgate_payment (provider, reference) WHERE reference IS NOT NULL;

  CREATE TABLE tollgate_payment_event (
    sequence INTEGER PRIMARY KEY AUTOINCREMENT,
    provider TEXT NOT NULL,
    id TEXT NOT NULL,
    payment TEXT,
    reference TEXT,
    since INTEGER NOT NULL,
    event TEXT NOT NULL,
    UNIQUE (provider, id)
  ) STRICT;
  CREATE INDEX tollgate_payment_event_payment ON tollgate_payment_event (payment) WHERE payment IS NOT NULL;
  CREATE INDEX tollgate_payment_event_reference ON tollgate_payment_event (provider, reference) WHERE reference IS NOT NULL;

  CREATE TABLE tollgate_top_up (
    account TEXT PRIMARY KEY,
    id TEXT NOT NULL,
    product TEXT NOT NULL,
    below INTEGER NOT NULL,
    max_per_day INTEGER NOT NULL,
    customer TEXT NOT NULL,
    method TEXT NOT NULL,
    stopped_at INTEGER,
    stopped_reason TEXT
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX tollgate_top_up_active ON tollgate_top_up (account) WHERE stopped_at IS NULL;
`;

/** The migration by which payments with a problem are found without reading the others. */
export const paymentProblemIndex = `
  CREATE INDEX tollgate_payment_problem ON tollgate_payment (created_at, id) WHERE problem IS NOT NULL;
`;
