/**
 * Selects the rows of a page that fit into `maxBytes`, at least one. `found` is the number of rows before that limit.
 */
export const fitting = (rows: string, column: string, order: string, maxBytes: string): string => `
    SELECT * FROM (
      SELECT row.*, count(*) OVER ()::text AS found, row_number() OVER (ORDER BY ${order}) AS rank,
             sum(octet_length(row.${column})) OVER (ORDER BY ${order}) AS size
        FROM (${rows}) AS row
    ) AS sized
     WHERE sized.rank = 1 OR sized.size <= coalesce(${maxBytes}::bigint, sized.size)`;
