/** The SQL that selects a timestamp as text, in milliseconds since the Unix epoch. */
export const millisecondsOf = (timestamp: string): string =>
  `floor(extract(epoch FROM ${timestamp}) * 1000)::bigint::text`;

/** The SQL that converts a parameter in milliseconds since the Unix epoch to a timestamp. */
export const timestampOf = (parameter: string): string =>
  `timestamptz 'epoch' + ${parameter}::bigint * interval '1 millisecond'`;
