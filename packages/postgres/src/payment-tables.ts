import type { Tables } from "./schema.ts";

const id = 'text COLLATE "C"';

/**
 * The migration that adds payments, the events whose payment is not known, and automatic top-ups. `disputes` and `event` are
 * JSON as text. `reference` is the id of the payment at its provider, once the customer has paid.
 */
export function paymentTables(tables: Tables): readonly string[] {
  const { payment } = tables;
  return [
    `CREATE TABLE ${payment} (
       id ${id} PRIMARY KEY,
       account ${id} NOT NULL,
       provider ${id} NOT NULL,
       live boolean NOT NULL,
       kind text NOT NULL,
       saves_method boolean NOT NULL,
       product text NOT NULL,
       price bigint NOT NULL,
       currency text NOT NULL,
       credit bigint NOT NULL CHECK (credit >= 0),
       bonus bigint NOT NULL CHECK (bonus >= 0),
       created_at timestamptz NOT NULL,
       state text NOT NULL,
       checkout text,
       checkout_url text,
       checkout_expires_at timestamptz,
       reference ${id},
       paid_at timestamptz,
       tax bigint,
       invoice_url text,
       receipt_url text,
       customer text,
       method text,
       refunded bigint NOT NULL CHECK (refunded >= 0),
       refunded_at timestamptz,
       taken_credit bigint NOT NULL CHECK (taken_credit BETWEEN 0 AND credit),
       taken_bonus bigint NOT NULL CHECK (taken_bonus BETWEEN 0 AND bonus),
       disputes text NOT NULL,
       postings integer NOT NULL,
       problem text
     )`,
    `CREATE INDEX payment_of_account ON ${payment} (account, created_at, id)`,
    `CREATE INDEX payment_of_all ON ${payment} (created_at, id)`,
    `CREATE INDEX payment_of_state ON ${payment} (state, created_at, id)`,
    `CREATE INDEX payment_open ON ${payment} (account, state) WHERE state IN ('pending', 'open', 'processing')`,
    `CREATE INDEX payment_reference ON ${payment} (provider, reference) WHERE reference IS NOT NULL`,
    ...eventTable(tables),
    ...topUpTable(tables),
  ];
}

/** The migration by which payments with a problem are found without reading the others. */
export const paymentProblemIndex = ({ payment }: Tables): readonly string[] => [
  `CREATE INDEX payment_problem ON ${payment} (created_at, id) WHERE problem IS NOT NULL`,
];

function eventTable({ paymentEvent }: Tables): readonly string[] {
  return [
    `CREATE TABLE ${paymentEvent} (
       sequence bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
       provider ${id} NOT NULL,
       id ${id} NOT NULL,
       payment ${id},
       reference ${id},
       since timestamptz NOT NULL,
       event text NOT NULL,
       UNIQUE (provider, id)
     )`,
    `CREATE INDEX payment_event_of_payment ON ${paymentEvent} (payment) WHERE payment IS NOT NULL`,
    `CREATE INDEX payment_event_of_reference ON ${paymentEvent} (provider, reference) WHERE reference IS NOT NULL`,
  ];
}

function topUpTable({ topUp }: Tables): readonly string[] {
  return [
    `CREATE TABLE ${topUp} (
       account ${id} PRIMARY KEY,
       id text NOT NULL,
       product text NOT NULL,
       below bigint NOT NULL,
       max_per_day integer NOT NULL,
       customer text NOT NULL,
       method text NOT NULL,
       stopped_at timestamptz,
       stopped_reason text
     )`,
    `CREATE INDEX top_up_active ON ${topUp} (account) WHERE stopped_at IS NULL`,
  ];
}
