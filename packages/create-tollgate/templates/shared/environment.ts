/** Returns a variable that `.env` sets. Ends the process if it is missing. */
export function readVariable(name: string): string {
  const value = process.env[name];
  if (value) return value;
  console.error(`${name} is not set. Set it in .env; .env.example lists all variables.`);
  process.exit(1);
}
