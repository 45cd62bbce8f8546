import { Script } from "./script.ts";

// Each script is one atomic step and uses the clock of Redis, which all processes share. Every key that it writes has
// an expiry, and all its keys belong to one subject, so that a cluster has them in one slot.

const now = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)`;

/**
 * Counts in a window that the first call opens: KEYS is the counter, ARGV the points and the seconds. Returns the
 * count, the milliseconds until the window ends, and the time.
 */
export const countScript = new Script(`${now}
-- A key lives for one millisecond more than it is given, and the window must have ended when it says so.
redis.call('SET', KEYS[1], 0, 'PX', ARGV[2] * 1000 - 1, 'NX')
local count = redis.call('INCRBY', KEYS[1], ARGV[1])
local left = redis.call('PTTL', KEYS[1])
if left < 0 then
  -- Somebody took the end away; without one its subject would be refused for ever.
  left = ARGV[2] * 1000 - 1
  redis.call('PEXPIRE', KEYS[1], left)
end
return { count, left + 1, now }`);

/**
 * Reserves both tokens and a place, or neither: KEYS are the window of tokens and the places; ARGV the id, the lease in
 * milliseconds, the places, the amount, its limit and the seconds of its window, empty if there is no such limit.
 * Returns 0, or 1 (tokens) or 2 (places) with the remaining amount, the reset, and the time.
 */
export const reserveScript = new Script(`${now}
local id, lease, places = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3])
local amount, limit, seconds = tonumber(ARGV[4]), tonumber(ARGV[5]), ARGV[6]

local used, resetAt, running, charged
if amount then
  local window = redis.call('HMGET', KEYS[1], 'seconds', 'resetAt', 'used', 'of:' .. id)
  running = window[1] == seconds and tonumber(window[2]) > now
  -- A client that lost its connection may send a command twice.
  charged = running and window[4]
  used = running and tonumber(window[3]) or 0
  resetAt = running and tonumber(window[2]) or now + seconds * 1000
  if not charged and (limit <= 0 or used + amount > limit) then
    return { 1, math.max(0, limit - used), resetAt, now }
  end
end
if places and not redis.call('ZSCORE', KEYS[2], id) and redis.call('ZCARD', KEYS[2]) >= places then
  -- Leases that ran out go only now: until somebody needs the place, a late renewal brings it back.
  redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', now)
  if redis.call('ZCARD', KEYS[2]) >= places then
    return { 2, 0, now + 1000, now }
  end
end

-- Nothing was taken above, and nothing is refused below.
if amount and not charged then
  if not running then
    redis.call('DEL', KEYS[1])
  end
  redis.call('HSET', KEYS[1], 'seconds', seconds, 'resetAt', resetAt, 'used', used + amount, 'of:' .. id, amount)
  redis.call('PEXPIREAT', KEYS[1], resetAt)
end
if places then
  redis.call('ZADD', KEYS[2], now + lease, id)
  redis.call('PEXPIREAT', KEYS[2], redis.call('ZRANGE', KEYS[2], -1, -1, 'WITHSCORES')[2])
end
return { 0 }`);

/**
 * Releases a place and corrects the charged tokens, once: KEYS as for the reservation; ARGV the id, the tokens used
 * (empty if unknown), and "place" to release only the place. The charge is stored in its window and expires with it, so
 * a refund never affects a later window.
 */
export const settleScript = new Script(`
redis.call('ZREM', KEYS[2], ARGV[1])
local charged = ARGV[3] ~= 'place' and redis.call('HGET', KEYS[1], 'of:' .. ARGV[1])
if charged then
  redis.call('HDEL', KEYS[1], 'of:' .. ARGV[1])
  if ARGV[2] ~= '' then
    redis.call('HSET', KEYS[1], 'used', redis.call('HGET', KEYS[1], 'used') + ARGV[2] - charged)
  end
end
return {}`);

/** Renews the leases of the existing places: KEYS are the places, ARGV pairs of an id and its milliseconds. */
export const renewScript = new Script(`${now}
for i = 1, #ARGV, 2 do
  redis.call('ZADD', KEYS[1], 'XX', now + ARGV[i + 1], ARGV[i])
end
local last = redis.call('ZRANGE', KEYS[1], -1, -1, 'WITHSCORES')
if last[2] then
  redis.call('PEXPIREAT', KEYS[1], last[2])
end
return {}`);

/**
 * Writes like the other scripts, so that it fails when they would: on a replica, out of memory, while loading. KEYS is
 * any key.
 */
export const probeScript = new Script(`
redis.call('SET', KEYS[1], '', 'PX', 1000)
return {}`);
