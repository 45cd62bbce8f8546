import { readFileSync } from "node:fs";
import { createSecureServer } from "node:http2";
import { nodeHandler } from "@tollgate/node";
import { gateway } from "../../shop/src/gateway.ts";
import { failToListen, port } from "../../shop/src/port.ts";

const router = nodeHandler(gateway, { prefix: "/router/v1" });
const assistants = nodeHandler(gateway.sessions, { prefix: "/assistants" });

const key = readFileSync(process.env["TLS_KEY_FILE"] ?? "key.pem");
const cert = readFileSync(process.env["TLS_CERT_FILE"] ?? "cert.pem");
const server = createSecureServer({ key, cert, allowHTTP1: true }, (req, res) => {
  router(req, res, () =>
    assistants(req, res, () => {
      if (req.url === "/") res.end("The shop");
      else res.writeHead(404).end();
    }),
  );
});

server.listen(port).on("error", failToListen);
