import type { AccountAdmin, BalanceStore, Notice, NoticeOutbox } from "@tollgate/core/store";
import type { BalanceContext } from "../balance-store/context.ts";
import type { OpenedWithDefaults } from "../suite.ts";

/** The context of a case of the outbox. */
export type NoticeContext = BalanceContext & OpenedWithDefaults<BalanceStore & AccountAdmin & NoticeOutbox>;

/** Claims the due notices of the account, in order, and finishes those of other cases. */
export async function claimAll({ store, account }: NoticeContext, leaseMs = 60_000): Promise<readonly Notice[]> {
  const notices = await store.claimNotices({ limit: 1_000, leaseMs });
  for (const notice of notices) if (notice.account !== account) await store.finishNotice(notice.id);
  return notices.filter((notice) => notice.account === account);
}
