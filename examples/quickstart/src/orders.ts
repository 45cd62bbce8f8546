import { timingSafeEqual } from "node:crypto";
import express, { type RequestHandler, type Router } from "express";
import { isJsonObject } from "./json-object.ts";

/** The path of the shop's orders. */
export const ordersPath = "/demonstration-shop/orders";

const firstNumber = 1_001;

/** The shop that the webhooks of the demo assistant call. It keeps its orders in memory and requires its key. */
export function ordersRouter(shopKey: string): Router {
  const orders: object[] = [];
  const router = express.Router();
  router.use(ordersPath, requireKey(shopKey), express.json({ limit: "64kb" }));
  router.get(`${ordersPath}/:number`, (request, response) => {
    const number = Number(request.params["number"]);
    const order = orders[number - firstNumber] ?? { article: "a lamp", quantity: 1 };
    const found = { ...order, number, customer: request.query["customer"], state: "on its way, arrives tomorrow" };
    response.json({ ...found, session: { client_data: { last_order: number } } });
  });
  router.post(ordersPath, (request, response) => {
    const order: unknown = request.body;
    if (!isJsonObject(order)) return response.status(400).json({ message: "Send an order as a JSON object." });
    const number = firstNumber + orders.push(order) - 1;
    return response.status(201).json({ ...order, number, session: { client_data: { last_order: number } } });
  });
  return router;
}

function requireKey(shopKey: string): RequestHandler {
  const expected = Buffer.from(`Bearer ${shopKey}`);
  return (request, response, next) => {
    const presented = Buffer.from(request.headers.authorization ?? "");
    if (presented.length === expected.length && timingSafeEqual(presented, expected)) return next();
    response
      .status(401)
      .json({ message: "The key is missing or wrong. Only the demo assistant has the key of this shop." });
  };
}
