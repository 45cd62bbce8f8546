/** The entries of an account by time, and the few that are no charges. */
export const entryIndexes = `
  CREATE INDEX tollgate_entry_time ON tollgate_entry (account, at);
  CREATE INDEX tollgate_entry_other ON tollgate_entry (account, sequence) WHERE kind <> 'charge';
`;
