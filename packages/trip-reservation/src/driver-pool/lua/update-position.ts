import { hiddenDriversText, poolKeysText } from './hidden-drivers.js';

export const updatePositionText = `-- Purpose: store where a driver is, unless a newer position is stored, and remove some that have expired.
${poolKeysText}
-- ARGV[1]: driver ID; ARGV[2], ARGV[3]: longitude and latitude; ARGV[4]: life of a position in milliseconds
-- ARGV[5]: when it was measured, in milliseconds; empty or in the future: now, by this server's clock
-- ARGV[6]: the deadline by this server's clock, in milliseconds; 0 for none
-- Returns: this server's clock in milliseconds; 'LATE' after the deadline, else 'STORED' or 'OLDER'; how long the
--   position is still valid, in milliseconds
-- Why atomic: a driver who is in one set only would never be removed, and an older position could replace a newer one.
${hiddenDriversText}
if tonumber(ARGV[6]) > 0 and now > tonumber(ARGV[6]) then
  return { now, 'LATE', 0 }
end
expire(50)
local life_ms = tonumber(ARGV[4])
local ends_at = math.min(tonumber(ARGV[5]) or now, now) + life_ms
-- If this clock was set back, or the last position has a longer life, it does not count for longer than a new one.
local stored = math.min(tonumber(redis.call('ZSCORE', KEYS[2], ARGV[1]) or 0), now + life_ms)
if ends_at <= now or stored > ends_at then
  return { now, 'OLDER', 0 }
end
local marked_ms = tonumber(redis.call('ZSCORE', KEYS[5], ARGV[1]) or 0) - now
local places = KEYS[4]
if marked_ms > 0 then
  -- A search shows them once the mark ends, which it knows only from these keys.
  keep(KEYS[3], marked_ms + life_ms)
  keep(KEYS[5], marked_ms + life_ms)
else
  show(ARGV[1])
  places = KEYS[1]
end
redis.call('GEOADD', places, ARGV[2], ARGV[3], ARGV[1])
redis.call('ZADD', KEYS[2], ends_at, ARGV[1])
keep(places, life_ms)
keep(KEYS[2], life_ms)
return { now, 'STORED', ends_at - now }
`;
