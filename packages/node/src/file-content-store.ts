import { link, mkdir, readdir, readFile, rm, unlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { ContentPage, ContentStore, RequestContentRecord } from "@tollgate/core/store";

/**
 * Returns a ContentStore that writes one JSON file for each request, in a folder for each day in UTC. Files have the mode
 * 600 and folders 700. Any number of processes may share the folder. `prune` removes whole days.
 */
export function fileContentStore(folder: string): ContentStore {
  return new ContentInFiles(folder);
}

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
/** The files that one call of `list` reads. */
const filesPerPage = 500;
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
      const record = await this.#read(day, id);
      if (record !== undefined) return record;
    }
    return undefined;
  }

  async list({ account, limit, after = "" }: Parameters<ContentStore["list"]>[0]): Promise<ContentPage> {
    const records: RequestContentRecord[] = [];
    let read = 0;
    for (const [day, id] of await this.#after(after)) {
      const record = await this.#read(day, id);
      if (record?.account === account) records.push(record);
      read += 1;
      if (records.length === limit || read === filesPerPage) return { records, next: `${day}/${id}` };
    }
    return { records };
  }

  async remove(records: readonly Pick<RequestContentRecord, "id" | "at">[]): Promise<number> {
    const known = records.filter(({ id }) => uuid.test(id));
    const removed = await Promise.all(
      known.map(({ id, at }) => unlessAbsent(unlink(join(this.#folder, toDay(at), `${id}.json`)).then(() => true))),
    );
    return removed.filter(Boolean).length;
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

  async #read(day: string, id: string): Promise<RequestContentRecord | undefined> {
    const text = await unlessAbsent(readFile(join(this.#folder, day, `${id}.json`), "utf8"));
    if (text === undefined) return undefined;
    const { at, ...rest }: Omit<RequestContentRecord, "at"> & { readonly at: string } = JSON.parse(text);
    return { ...rest, at: new Date(at) };
  }

  /** Returns the days and ids of the records after a position, at least those of one page. */
  async #after(position: string): Promise<readonly (readonly [day: string, id: string])[]> {
    const found: (readonly [string, string])[] = [];
    for (const day of (await this.#days()).filter((name) => name >= position.slice(0, name.length))) {
      const names = (await unlessAbsent(readdir(join(this.#folder, day)))) ?? [];
      const ids = names.filter((name) => name.endsWith(".json")).map((name) => name.slice(0, -".json".length));
      for (const id of ids.sort()) if (uuid.test(id) && `${day}/${id}` > position) found.push([day, id]);
      if (found.length >= filesPerPage) break;
    }
    return found;
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
