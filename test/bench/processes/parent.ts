/** Says to the process that started this one that it is ready; this one ends with it. */
export function announce(ready: object): void {
  process.on("disconnect", () => process.exit());
  process.send?.(JSON.stringify(ready));
}

/** Answers the commands of the process that started this one. */
export function serveCommands<Command>(run: (command: Command) => Promise<unknown>): void {
  process.on("message", (text) => {
    const command: Command = JSON.parse(String(text));
    run(command).then(
      (answer) => process.send?.(JSON.stringify({ answer })),
      (error) => process.send?.(JSON.stringify({ error: String(error) })),
    );
  });
}
