import { app } from "./app.ts";
import { gateway } from "./gateway.ts";
import { shutDown } from "./shut-down.ts";

const port = Number(process.env["PORT"] ?? 8787);
const server = app.listen(port, "127.0.0.1", (error) => {
  if (error) throw new Error(`Port ${port} cannot be used. Free it, or set another one as PORT.`, { cause: error });
  console.log(`Router     http://127.0.0.1:${port}/router/v1`);
  console.log(`Dashboard  http://127.0.0.1:${port}/tollgate/ (admin, with DASHBOARD_PASSWORD)`);
});

for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => void shutDown(gateway, server));
