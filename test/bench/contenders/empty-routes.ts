import { createServer, type Server } from "node:http";
import { getRequestListener } from "@hono/node-server";
import express from "express";
import fastify from "fastify";
import { Hono } from "hono";

const path = "/router/v1/chat/completions";

/** A listener of node:http that answers at once. */
export function emptyNode(): Server {
  return createServer((_request, response) => response.end());
}

/** A POST route of Express that answers at once. */
export function emptyExpress(): Server {
  const app = express();
  app.post(path, (_request, response) => {
    response.end();
  });
  return createServer(app);
}

/** A POST route of Fastify that answers at once, with the body left to the route as a mounted gateway needs it. */
export async function emptyFastify(): Promise<Server> {
  const app = fastify();
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("*", (_request, _payload, done) => done(null));
  app.post(path, (_request, reply) => reply.send());
  await app.ready();
  return app.server;
}

/** A POST route of Hono on Node that answers at once. */
export function emptyHono(): Server {
  const app = new Hono();
  app.post(path, (context) => context.body(null));
  return createServer(getRequestListener(app.fetch));
}
