import "reflect-metadata";
import { Module } from "@nestjs/common";
import { NestFactory } from "@nestjs/core";
import type { NestExpressApplication } from "@nestjs/platform-express";
import { tollgate } from "@tollgate/express";
import { gateway } from "./gateway.ts";
import { failToListen, port } from "./port.ts";
import { ShopController } from "./shop-controller.ts";

@Module({ controllers: [ShopController] })
class ShopModule {}

const app = await NestFactory.create<NestExpressApplication>(ShopModule);
app.use("/router/v1", tollgate(gateway));
app.use("/assistants", tollgate(gateway.sessions));
await app.listen(port).catch(failToListen);
