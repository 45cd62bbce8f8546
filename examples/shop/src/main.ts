import { app } from "./app.ts";
import { gateway } from "./gateway.ts";
import { failToListen, port } from "./port.ts";
import { shutDown } from "./shut-down.ts";
import { site } from "./site.ts";

const server = app.listen(port, "127.0.0.1", (error) => {
  if (error) failToListen(error);
  console.log(`Shop       ${site}/signup`);
  console.log(`Router     http://127.0.0.1:${port}/router/v1`);
  console.log(`Dashboard  http://127.0.0.1:${port}/tollgate/ (admin, with DASHBOARD_PASSWORD)`);
});

for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => void shutDown(gateway, server));
