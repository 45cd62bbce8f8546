/**
 * The part of a key that names its subject. Redis Cluster places a key by what stands in its first braces, so all keys
 * of one subject lie together; braces of the subject itself are escaped.
 */
export const hashTag = (subject: string): string => `{${subject.replace(/[%{}]/g, encodeURIComponent)}}`;
