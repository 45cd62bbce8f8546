import "reflect-metadata";
import { type MiddlewareConsumer, Module, type NestModule } from "@nestjs/common";
import { NestFactory } from "@nestjs/core";
import { FastifyAdapter } from "@nestjs/platform-fastify";
import { nodeHandler } from "@tollgate/node";
import { gateway } from "./gateway.ts";
import { failToListen, port } from "./port.ts";
import { ShopController } from "./shop-controller.ts";

@Module({ controllers: [ShopController] })
class ShopModule implements NestModule {
  configure(consumer: MiddlewareConsumer): void {
    consumer.apply(nodeHandler(gateway, { prefix: "/router/v1" })).forRoutes("router/v1/{*path}");
    consumer.apply(nodeHandler(gateway.sessions, { prefix: "/assistants" })).forRoutes("assistants/{*path}");
  }
}

const app = await NestFactory.create(ShopModule, new FastifyAdapter());
await app.listen(port).catch(failToListen);
