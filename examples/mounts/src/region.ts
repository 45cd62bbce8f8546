import type { RequestHandler } from "express";

/**
 * Refuses keys of other regions with 421, and says where to send them. Mount it before the gateway. A region is the prefix
 * of the keys that it issues, such as "acme_eu", which is the option `prefix` of its stores.
 */
export function refuseOtherRegions(own: string, baseURLs: ReadonlyMap<string, string>): RequestHandler {
  return ({ headers }, response, next) => {
    const key = headers.authorization?.replace(/^Bearer /i, "") ?? String(headers["x-api-key"] ?? "");
    const region = key.slice(0, key.lastIndexOf("_"));
    const baseURL = region === own ? undefined : baseURLs.get(region);
    if (baseURL === undefined) return next();
    const message = `This key belongs to another region. Send its requests to ${baseURL}.`;
    return response.status(421).json({ error: { message, type: "invalid_request_error", code: "wrong_region" } });
  };
}
