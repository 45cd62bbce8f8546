import { announce } from "./processes/parent.ts";
import { startMockUpstream } from "./upstream/mock-upstream.ts";

const { port } = await startMockUpstream();
announce({ port });
