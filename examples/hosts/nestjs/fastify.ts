import "reflect-metadata";
import { Module } from "@nestjs/common";
import { NestFactory } from "@nestjs/core";
import { FastifyAdapter, type NestFastifyApplication } from "@nestjs/platform-fastify";
import { tollgate } from "@tollgate/fastify";
import { gateway } from "./gateway.ts";
import { failToListen, port } from "./port.ts";
import { ShopController } from "./shop-controller.ts";

@Module({ controllers: [ShopController] })
class ShopModule {}

const app = await NestFactory.create<NestFastifyApplication>(ShopModule, new FastifyAdapter());
await app.register(tollgate, { gateway, prefix: "/router/v1" });
await app.register(tollgate, { gateway: gateway.sessions, prefix: "/assistants" });
await app.listen(port).catch(failToListen);
