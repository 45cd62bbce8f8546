import { setTimeout as sleep } from "node:timers/promises";
import { DatabaseSync } from "@photostructure/sqlite";
import type { NoticeEndpoint } from "@tollgate/core";
import { sqliteBalanceStore } from "@tollgate/sqlite";
import { withOverrides } from "../../contract/failures.ts";
import { noticingGateway } from "../notices/noticing-gateway.ts";
import { readTask } from "./task.ts";

/** The task of a process that spends from new accounts and delivers the notices of it until it is killed. */
export interface NoticeTask {
  readonly file: string;
  readonly endpoint: NoticeEndpoint;
  /** The seeded mutation: a claim takes notices out of the outbox. */
  readonly finishesEarly: boolean;
}

const { file, endpoint, finishesEarly } = readTask<NoticeTask>();
const store = sqliteBalanceStore(new DatabaseSync(file));
const mutation: Partial<typeof store> = {
  async claimNotices(query) {
    const claimed = await store.claimNotices(query);
    for (const { id } of claimed) await store.finishNotice(id);
    return claimed;
  },
};
const { spend } = noticingGateway(withOverrides<typeof store>(store, finishesEarly ? mutation : {}), endpoint);
void (async () => {
  for (;;) {
    await spend();
    await sleep(100);
  }
})();
