import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from "node:crypto";
import { database } from "./gateway.ts";

// What OWASP asks of scrypt: 32 MiB and about 0.2 seconds for each password.
const cost: ScryptOptions = { N: 2 ** 15, r: 8, p: 3, maxmem: 64 * 1024 * 1024 };

database.exec("create table if not exists shop_users (name text primary key, salt blob not null, hash blob not null)");
const insert = database.prepare("insert into shop_users (name, salt, hash) values (?, ?, ?) on conflict do nothing");
const select = database.prepare("select salt, hash from shop_users where name = ?");

/** Adds a user, whose name is also that of the account. Returns false if the name is taken. */
export async function addUser(name: string, password: string): Promise<boolean> {
  const salt = randomBytes(16);
  return insert.run(name, salt, await hashOf(password, salt)).changes === 1;
}

/** Returns true if the user exists and has this password. Takes as long for a name that does not exist. */
export async function hasPassword(name: string, password: string): Promise<boolean> {
  const { salt, hash } = select.get(name) ?? {};
  const found = salt instanceof Uint8Array && hash instanceof Uint8Array;
  const given = await hashOf(password, found ? salt : randomBytes(16));
  return found && timingSafeEqual(given, hash);
}

function hashOf(password: string, salt: Uint8Array): Promise<Buffer> {
  return new Promise((resolve, reject) =>
    scrypt(password.normalize("NFKC"), salt, 32, cost, (error, hash) => (error ? reject(error) : resolve(hash))),
  );
}
