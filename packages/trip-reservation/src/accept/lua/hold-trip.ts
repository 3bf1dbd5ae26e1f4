export const holdTripText = `-- Purpose: let the first driver of an offer through the gate and tell all others who is ahead.
-- KEYS[1]: trip_lock:{tripId}:{epoch}, the gate of one offer
-- ARGV[1]: the hold to take, <driverId>:<boot ID of the process>
-- ARGV[2]: life of the hold in milliseconds
-- ARGV[3]: a hold that the caller gives up for the new one, or an empty string
-- Returns: nil when the hold is taken, else the hold (or decision) that stands
-- Why atomic: between a read and a write of its own two drivers could both find the gate free.
local standing = redis.call('GET', KEYS[1])
if standing and standing ~= ARGV[3] then
  return standing
end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return nil
`;
