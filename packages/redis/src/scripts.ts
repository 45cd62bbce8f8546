import { Script } from "./script.ts";

// Each script is one atomic step and uses the clock of Redis, which all processes share. Every key that it writes has
// an expiry, and all its keys belong to one subject, so that a cluster has them in one slot.

/** How long at least a settlement adds what was used beyond its reservation. */
const settledWithinMs = 3_600_000;

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

// What is used above the limit of a window is carried into those after it, each of which pays off its limit. The expiry is
// the end of the last of them.
const tokenWindow = `
local function usedAt(used, resetAt, length, limit)
  if resetAt > now then return used end
  return math.max(0, used - (1 + math.floor((now - resetAt) / length)) * limit)
end
local function store(used, resetAt, length, limit)
  -- Bounds what is carried, so that the end of the last window is a date.
  used = math.min(used, limit * 1000000)
  redis.call('HSET', KEYS[1], 'resetAt', resetAt, 'used', used)
  redis.call('PEXPIREAT', KEYS[1], resetAt + math.max(0, math.ceil(used / limit) - 1) * length)
end`;

/**
 * Reserves both tokens and a place, or neither: KEYS are the window of tokens, the places, and the tokens of this
 * reservation; ARGV the id, the lease in milliseconds, the places, the amount, its limit and the seconds of its window, empty
 * if there is no such limit. Returns 0, or 1 (tokens) or 2 (places) with the remaining amount, the reset, and the time.
 */
export const reserveScript = new Script(`${now}${tokenWindow}
local id, lease, places = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3])
local amount, limit, seconds = tonumber(ARGV[4]), tonumber(ARGV[5]), ARGV[6]

local used, resetAt, length, running, charged, opener
if amount then
  length = seconds * 1000
  local window = redis.call('HMGET', KEYS[1], 'seconds', 'resetAt', 'used', 'opener')
  opener = window[4] or ''
  -- A window of another length does not count, since the limit was changed.
  local known = window[1] == seconds
  resetAt = known and tonumber(window[2]) or now + length
  running = known and resetAt > now
  local total = known and tonumber(window[3]) or 0
  used = usedAt(total, resetAt, length, limit)
  -- A client that lost its connection may send a command twice.
  charged = redis.call('EXISTS', KEYS[3]) == 1
  if not charged and (limit <= 0 or used + amount > limit) then
    local fitsAt = running and resetAt or now + length
    if limit > 0 then
      fitsAt = resetAt + (math.max(1, math.ceil((total + amount - limit) / limit)) - 1) * length
    end
    return { 1, math.max(0, limit - used), fitsAt, now }
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
    -- Tells this window from others, which may end in the same millisecond.
    opener = id
    redis.call('HSET', KEYS[1], 'seconds', seconds, 'opener', opener)
    resetAt = now + length
  end
  store(used + amount, resetAt, length, limit)
  redis.call('SET', KEYS[3], ARGV[4] .. ' ' .. opener, 'PX', math.max(resetAt - now, ${settledWithinMs}))
end
if places then
  redis.call('ZADD', KEYS[2], now + lease, id)
  redis.call('PEXPIREAT', KEYS[2], redis.call('ZRANGE', KEYS[2], -1, -1, 'WITHSCORES')[2])
end
return { 0 }`);

/**
 * Releases a place and corrects the charged tokens, once: KEYS as for the reservation; ARGV the id, the tokens used
 * (empty if unknown), and the limit and the seconds of its window, empty to release only the place. A refund changes only the
 * window that was charged; what was used beyond the reservation is added to the window that is open now.
 */
export const settleScript = new Script(`${now}${tokenWindow}
redis.call('ZREM', KEYS[2], ARGV[1])
local limit = tonumber(ARGV[3])
local taken = limit and redis.call('GET', KEYS[3])
if not taken then
  return {}
end
redis.call('DEL', KEYS[3])
local amount, opener = string.match(taken, '(%S+) (%S*)')
local beyond = ARGV[2] ~= '' and ARGV[2] - amount or 0
if beyond == 0 then
  return {}
end
local window = redis.call('HMGET', KEYS[1], 'seconds', 'resetAt', 'used', 'opener')
local used, resetAt, length = tonumber(window[3]) or 0, tonumber(window[2]), (tonumber(window[1]) or ARGV[4]) * 1000
if beyond < 0 and not (resetAt and (window[4] or '') == opener) then
  return {}
end
if beyond > 0 and not (resetAt and resetAt > now) then
  used = resetAt and usedAt(used, resetAt, length, limit) or 0
  length = ARGV[4] * 1000
  resetAt = now + length
  redis.call('HSET', KEYS[1], 'seconds', ARGV[4], 'opener', ARGV[1] .. ':settled')
end
store(used + beyond, resetAt, length, limit)
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
