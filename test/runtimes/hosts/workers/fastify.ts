import { fastify } from "fastify";

/** Adds a route to a Fastify app, for which Fastify generates code, and answers with the error of workerd. */
export default {
  fetch(): Response {
    try {
      fastify().get("/", () => "Hello");
      return new Response("The route was added.");
    } catch (error) {
      return new Response(String(error), { status: 500 });
    }
  },
};
