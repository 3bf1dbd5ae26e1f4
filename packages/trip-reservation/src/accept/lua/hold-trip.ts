export const holdTripText = `-- Purpose: let the first driver of an offer through the gate, and show all others who is ahead.
-- KEYS[1]: trip_lock:{namespace}:{tripId}:{epoch}, the gate of one offer: its hold or decision, then, each after a
--   space, the processes to notify when the hold ends
-- ARGV[1]: the hold to acquire, <driverId>:<boot ID of the process>
-- ARGV[2]: life of the hold in milliseconds
-- ARGV[3]: the caller's own hold, which the new one replaces, or an empty string
-- ARGV[4]: the caller's deadline by this server's clock, in milliseconds; 0 for none
-- ARGV[5]: the boot ID of the caller's process if it hears notices, else an empty string
-- Returns: {'HELD' when the hold was acquired, 'LATE' after ARGV[4], else the current hold or decision; this server's
--   clock in milliseconds; the remaining life of the current entry, in milliseconds}
-- Why atomic: with a separate read and write, two drivers could both find the gate free, and a hold that ended in between
--   would notify nobody.
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
if tonumber(ARGV[4]) > 0 and now > tonumber(ARGV[4]) then
  return { 'LATE', now, 0 }
end
local standing = redis.call('GET', KEYS[1]) or ''
local entry = string.match(standing, '^%S*')
if entry ~= '' and entry ~= ARGV[3] then
  local isKnown = string.find(standing, ' ' .. ARGV[5], 1, true)
  if ARGV[5] ~= '' and not isKnown and not string.find(entry, ':DECIDED', 1, true) then
    redis.call('APPEND', KEYS[1], ' ' .. ARGV[5])
  end
  return { entry, now, redis.call('PTTL', KEYS[1]) }
end
redis.call('SET', KEYS[1], ARGV[1] .. string.sub(standing, #entry + 1), 'PX', ARGV[2])
return { 'HELD', now, 0 }
`;
