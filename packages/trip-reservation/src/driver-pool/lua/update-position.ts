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
local ends_at = math.min(tonumber(ARGV[5]) or now, now) + ARGV[4]
local stored = redis.call('ZSCORE', KEYS[2], ARGV[1])
if ends_at <= now or (stored and tonumber(stored) > ends_at) then
  return { now, 'OLDER', 0 }
end
local is_marked = tonumber(redis.call('ZSCORE', KEYS[5], ARGV[1]) or 0) > now
if not is_marked then
  show(ARGV[1])
end
local places = is_marked and KEYS[4] or KEYS[1]
redis.call('GEOADD', places, ARGV[2], ARGV[3], ARGV[1])
redis.call('ZADD', KEYS[2], ends_at, ARGV[1])
keep(places, tonumber(ARGV[4]))
keep(KEYS[2], tonumber(ARGV[4]))
return { now, 'STORED', ends_at - now }
`;
