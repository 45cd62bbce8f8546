// Serves the HTTP interface of ClickHouse, as far as a client of @clickhouse/client uses it here, with the engine of chdb in this
// process. Run: node chdb-server.mjs <module of chdb> <folder> <port>
import { createServer } from "node:http";
import { text } from "node:stream/consumers";

const [module = "", folder, port] = process.argv.slice(2);
const { Session } = await import(module);
const session = new Session(folder);

/** Parameters of the interface that are not settings. */
const ofInterface = new Set([
  "query",
  "query_id",
  "database",
  "default_format",
  "session_id",
  "role",
  "wait_end_of_query",
]);

const server = createServer({ maxHeaderSize: 1 << 20 }, async (request, response) => {
  if (request.url === "/ping") return response.end("Ok.\n");
  const { searchParams } = new URL(request.url ?? "/", "http://chdb");
  const body = await text(request);
  const query = searchParams.get("query");
  try {
    response.end(run(query === null ? body : `${query}\n${body}`, settingsOf(searchParams)));
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    response.writeHead(500, { "x-clickhouse-exception-code": /Code: (\d+)/.exec(message)?.[1] ?? "1" }).end(message);
  }
});
server.listen(Number(port), "127.0.0.1", () => process.send?.("listening"));
process.on("disconnect", () => process.exit());

/** Runs a statement with its settings, which end with it. The engine runs one at a time. */
function run(statement, settings) {
  for (const [name, value] of settings) session.query(`SET ${name} = ${value}`);
  try {
    return session.query(statement);
  } finally {
    for (const [name] of settings) session.query(`SET ${name} = DEFAULT`);
  }
}

function settingsOf(parameters) {
  return [...parameters]
    .filter(([name]) => !ofInterface.has(name) && !name.startsWith("param_"))
    .map(([name, value]) => [name, `'${value.replace(/[\\']/g, "\\$&")}'`]);
}
