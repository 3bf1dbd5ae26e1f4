import { notifyWaitingText } from './notify-waiting.js';

export const releaseTripText = `-- Purpose: open the gate when its holder cannot have the trip, or when the offer is over.
-- KEYS[1]: trip_lock:{namespace}:{tripId}:{epoch}, the gate of one offer
-- ARGV[1]: the hold or decision to remove
-- ARGV[2]: channel of a process without its boot ID: it receives <tripId>:<epoch>
-- Returns: 1 when it was removed, 0 when the entry is another one
-- Why atomic: the hold could expire in between and be replaced by another driver's.
local standing = redis.call('GET', KEYS[1]) or ''
if string.match(standing, '^%S*') ~= ARGV[1] then
  return 0
end
redis.call('DEL', KEYS[1])
local entry = ''
${notifyWaitingText}
return 1
`;
