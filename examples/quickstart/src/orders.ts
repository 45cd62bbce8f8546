import { timingSafeEqual } from "node:crypto";
import express, { type RequestHandler, type Router } from "express";
import { isJsonObject } from "./json-object.ts";

/** Where the shop takes and tells orders. */
export const ordersPath = "/demonstration-shop/orders";

const firstNumber = 1_001;

/** What webhooks of the demonstration assistant call: a shop in memory, for whoever has its key. */
export function ordersRouter(shopKey: string): Router {
  const placed: object[] = [];
  const router = express.Router();
  router.use(ordersPath, requireKey(shopKey), express.json({ limit: "64kb" }));
  router.get(`${ordersPath}/:number`, (request, response) => {
    const number = Number(request.params["number"]);
    const order = placed[number - firstNumber] ?? { article: "a lamp", quantity: 1 };
    const found = { ...order, number, customer: request.query["customer"], state: "on its way, arrives tomorrow" };
    response.json({ ...found, session: { client_data: { last_order: number } } });
  });
  router.post(ordersPath, (request, response) => {
    const order: unknown = request.body;
    if (!isJsonObject(order)) return response.status(400).json({ message: "Send an order as a JSON object." });
    const number = firstNumber + placed.push(order) - 1;
    return response.status(201).json({ ...order, number, session: { client_data: { last_order: number } } });
  });
  return router;
}

function requireKey(shopKey: string): RequestHandler {
  const wanted = Buffer.from(`Bearer ${shopKey}`);
  return (request, response, next) => {
    const given = Buffer.from(request.headers.authorization ?? "");
    if (given.length === wanted.length && timingSafeEqual(given, wanted)) return next();
    response.status(401).json({ message: "Only the demonstration assistant has the key of this shop." });
  };
}
