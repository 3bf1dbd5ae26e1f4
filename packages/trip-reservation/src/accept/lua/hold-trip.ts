export const holdTripText = `-- Purpose: let the first driver of an offer through the gate, and show all others who is ahead.
-- KEYS[1]: trip_lock:{namespace}:{tripId}:{epoch}, the gate of one offer
-- ARGV[1]: the hold to acquire, <driverId>:<boot ID of the process>
-- ARGV[2]: life of the hold in milliseconds
-- ARGV[3]: the caller's own hold, which the new one replaces, or an empty string
-- ARGV[4]: the caller's deadline by this server's clock, in milliseconds; 0 for none
-- Returns: {'HELD' when the hold was acquired, 'LATE' after ARGV[4], else the current hold or decision; this server's
--   clock in milliseconds; the remaining life of the current entry, in milliseconds}
-- Why atomic: with a separate read and write, two drivers could both find the gate free.
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
if tonumber(ARGV[4]) > 0 and now > tonumber(ARGV[4]) then
  return { 'LATE', now, 0 }
end
local standing = redis.call('GET', KEYS[1])
if standing and standing ~= ARGV[3] then
  return { standing, now, redis.call('PTTL', KEYS[1]) }
end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return { 'HELD', now, 0 }
`;
