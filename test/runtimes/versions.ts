/**
 * The packages of npm that contain the runtimes, with the versions that the suite tests. They are not in the lockfile,
 * since nothing else needs them.
 */
export const versions = {
  "node-20": "20.20.2",
  "node-22": "22.23.3",
  "node-24": "24.21.0",
  "node-26": "26.10.0",
  bun: "1.4.5",
  deno: "2.9.6",
  workerd: "1.20261117.1",
} as const;
