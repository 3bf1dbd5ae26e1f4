/** The keys of a pool, which all its scripts have, in one slot of a Redis Cluster. Part of the header of each. */
export const poolKeysText = `-- KEYS[1]: {driver_pool:namespace}:places, a geo set of the drivers whom searches look at
-- KEYS[2]: {driver_pool:namespace}:heard, driver IDs by the time at which their position expires, in milliseconds
-- KEYS[3]: {driver_pool:namespace}:marks, by driver ID: <trip ID>:<time at which the mark expires, in milliseconds>
-- KEYS[4]: {driver_pool:namespace}:hidden, a geo set of the drivers with a mark
-- KEYS[5]: {driver_pool:namespace}:ends, driver IDs by the time at which their mark expires, in milliseconds`;

/**
 * What these scripts begin with: `now`, this server's clock in milliseconds, and the functions `keep`, `hide`, `show` and
 * `expire`.
 */
export const hiddenDriversText = `local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
-- A key that nobody writes any more ends with its last entry.
local function keep(key, life_ms)
  if redis.call('PTTL', key) < life_ms then
    redis.call('PEXPIRE', key, life_ms)
  end
end
local function move(id, from, to)
  local place = redis.call('ZSCORE', from, id)
  if place then
    redis.call('ZREM', from, id)
    redis.call('ZADD', to, place, id)
    keep(to, math.max(1, redis.call('PTTL', KEYS[2])))
  end
end
local function hide(id, trip, ends_at)
  local ends_text = string.format('%.0f', ends_at)
  redis.call('HSET', KEYS[3], id, trip .. ':' .. ends_text)
  redis.call('ZADD', KEYS[5], ends_text, id)
  -- Longer than the mark: until a search shows those who are still hidden.
  local life_ms = ends_at - now + math.max(1, redis.call('PTTL', KEYS[2]))
  keep(KEYS[3], life_ms)
  keep(KEYS[5], life_ms)
  move(id, KEYS[1], KEYS[4])
end
local function show(id)
  redis.call('HDEL', KEYS[3], id)
  redis.call('ZREM', KEYS[5], id)
  move(id, KEYS[4], KEYS[1])
end
-- Removes positions, and marks, that have expired: some of each. A driver who reports again within a step keeps their mark.
local function expire(count_max)
  local gone = redis.call('ZRANGEBYSCORE', KEYS[2], '-inf', now, 'LIMIT', 0, count_max)
  if #gone > 0 then
    for _, key in ipairs({ KEYS[1], KEYS[2], KEYS[4] }) do
      redis.call('ZREM', key, unpack(gone))
    end
  end
  for _, id in ipairs(redis.call('ZRANGEBYSCORE', KEYS[5], '-inf', now, 'LIMIT', 0, count_max)) do
    show(id)
  end
end`;
