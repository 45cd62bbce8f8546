/** The members of keys that came with spend limits. JSON as text; `log_content` is 0 or 1. */
export const keyMemberColumns = `
  ALTER TABLE tollgate_key ADD COLUMN spend TEXT;
  ALTER TABLE tollgate_key ADD COLUMN tags TEXT;
  ALTER TABLE tollgate_key ADD COLUMN log_content INTEGER CHECK (log_content IN (0, 1));
`;
