import { Controller, Get } from "@nestjs/common";

@Controller()
export class ShopController {
  @Get()
  index(): string {
    return "The shop";
  }
}
