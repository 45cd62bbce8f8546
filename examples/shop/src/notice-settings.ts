import type { NoticeSettings, NoticeType, PortalNotices } from "@tollgate/portal";
import { database } from "./gateway.ts";

database.exec("CREATE TABLE IF NOT EXISTS notice_settings (account TEXT PRIMARY KEY, settings TEXT NOT NULL)");

/** Which notices customers want, and their mail addresses. */
export const noticeSettings = {
  find(account: string): NoticeSettings | undefined {
    const row = database.prepare("SELECT settings FROM notice_settings WHERE account = ?").get(account);
    return row === undefined ? undefined : JSON.parse(String(row["settings"]));
  },
  save(account, settings) {
    const sql = "INSERT OR REPLACE INTO notice_settings (account, settings) VALUES (?, ?)";
    database.prepare(sql).run(account, JSON.stringify(settings));
  },
} satisfies PortalNotices;

/** Returns where to mail a notice to; undefined if the customer does not want it. */
export async function mailAddress(account: string, type: NoticeType): Promise<string | undefined> {
  const settings = noticeSettings.find(account);
  return settings?.types.includes(type) ? (settings.email ?? undefined) : undefined;
}
