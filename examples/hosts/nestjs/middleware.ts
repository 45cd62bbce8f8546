import "reflect-metadata";
import { type MiddlewareConsumer, Module, type NestModule } from "@nestjs/common";
import { NestFactory } from "@nestjs/core";
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

// The parser of Nest would answer a body that is too large with an error that clients of the gateway cannot read.
const app = await NestFactory.create(ShopModule, { bodyParser: false });
await app.listen(port).catch(failToListen);
