import { hiddenDriversText, poolKeysText } from './hidden-drivers.js';

export const markDriversText = `-- Purpose: hide drivers who have a trip from searches, or let searches find drivers of a trip again.
${poolKeysText}
-- ARGV[1]: the trip; ARGV[2]: life of the mark in milliseconds, 0 to remove it
-- ARGV[3..n]: driver IDs; to remove one reservation only, <driver ID>:<time at which it expires, in milliseconds>
-- Returns: the number of marks that were set or removed
-- Why atomic: a mark that another trip set in the meantime must stay.
${hiddenDriversText}
local changed = 0
for index = 3, #ARGV do
  local id = ARGV[index]
  if tonumber(ARGV[2]) > 0 then
    -- Without a position there is nothing to hide.
    if redis.call('ZSCORE', KEYS[2], id) then
      hide(id, ARGV[1], now + ARGV[2])
      changed = changed + 1
    end
  else
    local driver, ends_at = string.match(id, '^(%d+):?(%d*)$')
    local trip, marked_until = string.match(redis.call('HGET', KEYS[3], driver) or '', '^(%d+):(%d+)$')
    if trip == ARGV[1] and (ends_at == '' or ends_at == marked_until) then
      show(driver)
      changed = changed + 1
    end
  end
end
return changed
`;
