export const releaseTripText = `-- Purpose: open the gate when its holder cannot have the trip, or when the offer is over.
-- KEYS[1]: trip_lock:{namespace}:{tripId}:{epoch}, the gate of one offer
-- ARGV[1]: the hold or decision to remove
-- Returns: 1 when it was removed, 0 when the entry is another one
-- Why atomic: the hold could expire in between and be replaced by another driver's.
if redis.call('GET', KEYS[1]) == ARGV[1] then
  return redis.call('DEL', KEYS[1])
end
return 0
`;
