import core = require("@tollgate/core");
import tollgateExpress = require("@tollgate/express");
import tollgateFastify = require("@tollgate/fastify");
import tollgateHono = require("@tollgate/hono");
import tollgateNode = require("@tollgate/node");
import express = require("express");
import fastify = require("fastify");
import hono = require("hono");

/** A CommonJS host. TypeScript supports `require` of ES modules with `module: nodenext`. */
declare const gateway: core.Gateway;

express().use("/v1", tollgateExpress.tollgate(gateway));
void fastify.fastify().register(tollgateFastify.tollgate, { gateway, prefix: "/v1" });
new hono.Hono().use("/v1/*", tollgateHono.tollgate(gateway));
tollgateNode.nodeHandler(gateway, { prefix: "/v1" });

// @ts-expect-error Checks that the types are not `any`: this option does not exist.
tollgateNode.nodeHandler(gateway, { path: "/v1" });
