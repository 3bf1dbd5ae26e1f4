export const updatePositionText = `-- Purpose: keep where a driver is, and let go of drivers who were not heard of for long.
-- KEYS[1]: {driver_pool}:places, a geo set of driver IDs
-- KEYS[2]: {driver_pool}:heard, driver IDs by the moment at which their position expires, in milliseconds
-- ARGV[1]: driver ID; ARGV[2], ARGV[3]: longitude and latitude; ARGV[4]: life of a position in milliseconds
-- Returns: 1
-- Why atomic: a driver who is in one set only would stay for ever.
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local expired = redis.call('ZRANGEBYSCORE', KEYS[2], '-inf', now, 'LIMIT', 0, 10)
if #expired > 0 then
  redis.call('ZREM', KEYS[1], unpack(expired))
  redis.call('ZREM', KEYS[2], unpack(expired))
end
redis.call('GEOADD', KEYS[1], ARGV[2], ARGV[3], ARGV[1])
redis.call('ZADD', KEYS[2], now + ARGV[4], ARGV[1])
return 1
`;
