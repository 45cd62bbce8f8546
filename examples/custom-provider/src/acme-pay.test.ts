import { paymentProviderContract } from "@tollgate/contract";
import { describe, it } from "vitest";
import { acmePay } from "./acme-pay.ts";
import { signNotification } from "./sign-notification.ts";

const options = {
  baseURL: "http://127.0.0.1:1",
  apiKey: "key",
  signingSecret: "a secret of sixteen characters",
  shop: "acme",
  live: false,
};

paymentProviderContract({
  test: { describe, it },
  create: () => ({ provider: acmePay(options), sign: (event, how) => signNotification(event, how, options) }),
});
