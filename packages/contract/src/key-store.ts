import type { KeyAdmin, KeyStore } from "@tollgate/core/store";
import { changeCases, rotationCases } from "./key-store/changes.ts";
import { createWithinCases } from "./key-store/create-within.ts";
import { issueCases } from "./key-store/issue.ts";
import { listCases } from "./key-store/list.ts";
import { updateCases } from "./key-store/update.ts";
import { runSuite, type SuiteOptions } from "./suite.ts";

/** The suite for every store that is both a KeyStore and a KeyAdmin. Each case uses a new account. */
export function keyStoreContract(options: SuiteOptions<KeyStore & KeyAdmin>): void {
  const groups = {
    create: issueCases,
    createWithin: createWithinCases,
    "get and update": updateCases,
    list: listCases,
    "revoke and onChange": changeCases,
    rotate: rotationCases,
  };
  runSuite(options, "KeyStore and KeyAdmin", groups, (opened, check) => {
    const account = `account-${crypto.randomUUID()}`;
    return check({
      ...opened,
      account,
      issue: async (overrides) => opened.store.create({ account, plan: "basic", ...overrides }),
    });
  });
}
