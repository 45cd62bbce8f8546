import { createServer } from "node:http";
import { nodeHandler } from "@tollgate/node";
import { gateway } from "../../shop/src/gateway.ts";
import { failToListen, port } from "../../shop/src/port.ts";

const router = nodeHandler(gateway, { prefix: "/router/v1" });
const assistants = nodeHandler(gateway.sessions, { prefix: "/assistants" });

const server = createServer((req, res) => {
  router(req, res, () =>
    assistants(req, res, () => {
      if (req.url === "/") res.end("The shop");
      else res.writeHead(404).end();
    }),
  );
});

server.listen(port).on("error", failToListen);
