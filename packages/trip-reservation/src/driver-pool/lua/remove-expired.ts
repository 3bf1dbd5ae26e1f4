/**
 * The part of a script that removes drivers whose position has expired. Requires KEYS[1] to KEYS[3] as in
 * `searchDriversText`, `now`, this server's clock in milliseconds, and `removed_max`, how many are removed at most.
 */
export const removeExpiredText = `local expired = redis.call('ZRANGEBYSCORE', KEYS[2], '-inf', now, 'LIMIT', 0, removed_max)
if #expired > 0 then
  redis.call('ZREM', KEYS[1], unpack(expired))
  redis.call('ZREM', KEYS[2], unpack(expired))
  -- A driver who reports again within a step keeps their mark.
  for index, mark in ipairs(redis.call('HMGET', KEYS[3], unpack(expired))) do
    if mark and tonumber(string.match(mark, '%d+$')) <= now then
      redis.call('HDEL', KEYS[3], expired[index])
    end
  end
end`;
