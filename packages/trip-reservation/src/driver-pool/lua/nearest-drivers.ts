export const nearestDriversText = `-- Purpose: the drivers around a place, nearest first, with positions that have not expired.
-- KEYS[1]: {driver_pool}:places, a geo set of driver IDs
-- KEYS[2]: {driver_pool}:heard, driver IDs by the moment at which their position expires, in milliseconds
-- ARGV[1], ARGV[2]: longitude and latitude; ARGV[3]: radius in metres; ARGV[4]: drivers at most
-- Returns: driver ID, distance in metres, driver ID, distance …
-- Why atomic: expired positions are removed while it looks, so that they never take the places of others.
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
while true do
  local found = redis.call('GEOSEARCH', KEYS[1], 'FROMLONLAT', ARGV[1], ARGV[2], 'BYRADIUS', ARGV[3], 'm', 'ASC',
    'COUNT', ARGV[4], 'WITHDIST')
  local answer = {}
  local expired = {}
  for _, entry in ipairs(found) do
    local heard = redis.call('ZSCORE', KEYS[2], entry[1])
    if heard and tonumber(heard) > now then
      answer[#answer + 1] = entry[1]
      answer[#answer + 1] = entry[2]
    else
      expired[#expired + 1] = entry[1]
    end
  end
  if #expired == 0 then
    return answer
  end
  redis.call('ZREM', KEYS[1], unpack(expired))
  redis.call('ZREM', KEYS[2], unpack(expired))
end
`;
