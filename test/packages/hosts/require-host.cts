import core = require("@tollgate/core");
import tollgateExpress = require("@tollgate/express");
import tollgateFastify = require("@tollgate/fastify");
import tollgateHono = require("@tollgate/hono");
import tollgateNode = require("@tollgate/node");
import express = require("express");
import fastify = require("fastify");
import hono = require("hono");

/** A CommonJS host: `require` of ES modules is known to TypeScript from `module: nodenext` on. */
declare const gateway: core.Gateway;

express().use("/v1", tollgateExpress.tollgate(gateway));
void fastify.fastify().register(tollgateFastify.tollgate, { gateway, prefix: "/v1" });
new hono.Hono().use("/v1/*", tollgateHono.tollgate(gateway));
tollgateNode.nodeHandler(gateway, { prefix: "/v1" });

// @ts-expect-error There is no such option, so the types are not `any`.
tollgateNode.nodeHandler(gateway, { path: "/v1" });
