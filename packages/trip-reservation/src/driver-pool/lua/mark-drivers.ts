export const markDriversText = `-- Purpose: mark drivers who have a trip, so that searches skip them, or remove marks of a trip.
-- KEYS[1]: {driver_pool:namespace}:heard, driver IDs by the time at which their position expires, in milliseconds
-- KEYS[2]: {driver_pool:namespace}:marks, by driver ID: <trip ID>:<time at which the mark expires, in milliseconds>
-- ARGV[1]: the trip; ARGV[2]: life of the mark in milliseconds, 0 to remove it
-- ARGV[3..n]: driver IDs; to remove one reservation only, <driver ID>:<time at which it expires, in milliseconds>
-- Returns: the number of marks that were set or removed
-- Why atomic: a mark that another trip set in the meantime must stay.
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local changed = 0
for index = 3, #ARGV do
  local id = ARGV[index]
  if tonumber(ARGV[2]) > 0 then
    -- Without a position there is nothing to skip, and nothing that would ever remove the mark.
    if redis.call('ZSCORE', KEYS[1], id) then
      redis.call('HSET', KEYS[2], id, ARGV[1] .. ':' .. string.format('%.0f', now + ARGV[2]))
      changed = changed + 1
    end
  else
    local driver, ends_at = string.match(id, '^(%d+):?(%d*)$')
    local trip, marked_until = string.match(redis.call('HGET', KEYS[2], driver) or '', '^(%d+):(%d+)$')
    if trip == ARGV[1] and (ends_at == '' or ends_at == marked_until) then
      changed = changed + redis.call('HDEL', KEYS[2], driver)
    end
  end
end
if changed > 0 and tonumber(ARGV[2]) > 0 and redis.call('PTTL', KEYS[2]) < tonumber(ARGV[2]) then
  redis.call('PEXPIRE', KEYS[2], ARGV[2])
end
return changed
`;
