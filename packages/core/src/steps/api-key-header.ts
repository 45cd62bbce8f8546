import type { KeyHeaders } from "../answering/model-api.ts";
import { bearer, token } from "./admit.ts";

/** Reads the key from a bearer token or from `x-api-key`, where Anthropic's clients send it. Two different keys are malformed. */
export const bearerOrApiKey: KeyHeaders = {
  names: `${bearer.names} or \`x-api-key: <API_KEY>\``,
  read(request) {
    const authorization = bearer.read(request);
    const apiKey = request.header("x-api-key");
    if (apiKey === undefined || apiKey === "") return authorization;
    const isSame = "problem" in authorization ? authorization.problem === "missing" : authorization.key === apiKey;
    return isSame && token.test(apiKey) ? { key: apiKey } : { problem: "malformed" };
  },
};
