import { gateway } from "@/gateway";

const handler = (request: Request) => gateway.fetch(request);

export { handler as DELETE, handler as GET, handler as POST };
