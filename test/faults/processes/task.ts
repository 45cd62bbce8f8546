/** Reads the task of this process, which is JSON in its first argument. The process ends with its parent. */
export function readTask<Task>(): Task {
  process.on("disconnect", () => process.exit());
  return JSON.parse(process.argv[2] ?? "");
}
