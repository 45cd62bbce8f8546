import { link, mkdir, readdir, readFile, rm, unlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { ContentStore, RequestContentRecord } from "@tollgate/core/store";

/**
 * Returns a ContentStore that writes one JSON file for each request, in a folder for each day in UTC. Files have the mode
 * 600 and folders 700. Any number of processes may share the folder. `prune` removes whole days.
 */
export function fileContentStore(folder: string): ContentStore {
  return new ContentInFiles(folder);
}

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const dayName = /^\d{4}-\d{2}-\d{2}$/;

class ContentInFiles implements ContentStore {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  async record(records: readonly RequestContentRecord[]): Promise<void> {
    for (const record of records) await this.#write(record);
  }

  async find(id: string): Promise<RequestContentRecord | undefined> {
    if (!uuid.test(id)) return undefined;
    for (const day of await this.#days()) {
      const text = await unlessAbsent(readFile(join(this.#folder, day, `${id}.json`), "utf8"));
      if (text === undefined) continue;
      const { at, ...rest }: Omit<RequestContentRecord, "at"> & { readonly at: string } = JSON.parse(text);
      return { ...rest, at: new Date(at) };
    }
    return undefined;
  }

  async prune(before: Date): Promise<number> {
    let removed = 0;
    for (const day of (await this.#days()).filter((name) => name < toDay(before))) {
      const folder = join(this.#folder, day);
      // Another process may remove the same day.
      removed += (await unlessAbsent(readdir(folder)))?.length ?? 0;
      await rm(folder, { recursive: true, force: true });
    }
    return removed;
  }

  async #write(record: RequestContentRecord): Promise<void> {
    if (!uuid.test(record.id)) throw new RangeError("The id of a record must be a UUID in lower case.");
    const folder = join(this.#folder, toDay(record.at));
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const draft = join(folder, `.${record.id}.${crypto.randomUUID()}`);
    await writeFile(draft, JSON.stringify(record), { mode: 0o600, flush: true });
    try {
      // Unlike a rename, a link fails if the record exists, and a reader never sees half a file.
      await link(draft, join(folder, `${record.id}.json`));
    } catch (error) {
      if (!hasCode(error, "EEXIST")) throw error;
    } finally {
      await unlink(draft);
    }
  }

  async #days(): Promise<readonly string[]> {
    const names = (await unlessAbsent(readdir(this.#folder))) ?? [];
    return names.filter((name) => dayName.test(name)).sort();
  }
}

const toDay = (date: Date): string => date.toISOString().slice(0, 10);

const hasCode = (error: unknown, code: string): boolean =>
  error instanceof Error && "code" in error && error.code === code;

async function unlessAbsent<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (hasCode(error, "ENOENT")) return undefined;
    throw error;
  }
}
