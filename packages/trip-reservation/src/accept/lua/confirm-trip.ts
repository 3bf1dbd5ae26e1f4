import { notifyWaitingText } from './notify-waiting.js';

export const confirmTripText = `-- Purpose: show later callers who has the trip, and notify the processes that wait.
-- KEYS[1]: trip_lock:{namespace}:{tripId}:{epoch}, the gate of one offer
-- ARGV[1]: the decision, <driverId>:DECIDED
-- ARGV[2]: channel of a process without its boot ID: it receives <tripId>:<epoch> and the decision
-- ARGV[3]: life of the decision in milliseconds
-- ARGV[4]: the deadline by this server's clock, in milliseconds, after which the decision might no longer be valid; 0 for
--   none
-- Returns: 1 when it was written, 0 when it was late
-- Why atomic: a decision delayed between the check and the write would be as late as an unchecked one, and a process that
--   begins to wait before the write must be notified.
local time = redis.call('TIME')
if tonumber(ARGV[4]) > 0 and time[1] * 1000 + math.floor(time[2] / 1000) > tonumber(ARGV[4]) then
  return 0
end
local standing = redis.call('GET', KEYS[1]) or ''
local entry = ARGV[1]
redis.call('SET', KEYS[1], entry, 'PX', ARGV[3])
${notifyWaitingText}
return 1
`;
