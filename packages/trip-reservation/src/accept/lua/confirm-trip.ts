export const confirmTripText = `-- Purpose: show later callers who has the trip.
-- KEYS[1]: trip_lock:{namespace}:{tripId}:{epoch}, the gate of one offer
-- ARGV[1]: the decision, <driverId>:DECIDED
-- ARGV[2]: life of the decision in milliseconds
-- ARGV[3]: the deadline by this server's clock, in milliseconds, after which the decision might no longer be valid; 0 for
--   none
-- Returns: 1 when it was written, 0 when it was late
-- Why atomic: a decision delayed between the check and the write would be as late as an unchecked one.
local time = redis.call('TIME')
if tonumber(ARGV[3]) > 0 and time[1] * 1000 + math.floor(time[2] / 1000) > tonumber(ARGV[3]) then
  return 0
end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return 1
`;
