import { gateway } from "@/gateway";

const handler = (request: Request) => gateway.sessions.fetch(request, { basePath: "/assistants" });

export { handler as DELETE, handler as GET, handler as POST, handler as PUT };
