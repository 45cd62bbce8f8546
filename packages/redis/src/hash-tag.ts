/**
 * The hash tag of a subject's keys. Redis Cluster assigns a key to a slot by the text in its first braces, so all keys
 * of one subject are in one slot. Braces in the subject are escaped.
 */
export const hashTag = (subject: string): string => `{${subject.replace(/[%{}]/g, encodeURIComponent)}}`;
