/** What this process is to do, as JSON in its first argument. It ends with the process that started it. */
export function readTask<Task>(): Task {
  process.on("disconnect", () => process.exit());
  return JSON.parse(process.argv[2] ?? "");
}
