import { removeExpiredText } from './remove-expired.js';

export const updatePositionText = `-- Purpose: store where a driver is, unless a newer position is stored, and remove some that have expired.
-- KEYS[1]: {driver_pool:namespace}:places, a geo set of driver IDs
-- KEYS[2]: {driver_pool:namespace}:heard, driver IDs by the time at which their position expires, in milliseconds
-- KEYS[3]: {driver_pool:namespace}:marks, by driver ID: <trip ID>:<time at which the mark expires, in milliseconds>
-- ARGV[1]: driver ID; ARGV[2], ARGV[3]: longitude and latitude; ARGV[4]: life of a position in milliseconds
-- ARGV[5]: when it was measured, in milliseconds; empty or in the future: now, by this server's clock
-- ARGV[6]: the deadline by this server's clock, in milliseconds; 0 for none
-- Returns: this server's clock in milliseconds; 'LATE' after the deadline, else 'STORED' or 'OLDER'; how long the
--   position is still valid, in milliseconds
-- Why atomic: a driver who is in one set only would never be removed, and an older position could replace a newer one.
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
if tonumber(ARGV[6]) > 0 and now > tonumber(ARGV[6]) then
  return { now, 'LATE', 0 }
end
local removed_max = 50
${removeExpiredText}
local ends_at = math.min(tonumber(ARGV[5]) or now, now) + ARGV[4]
local stored = redis.call('ZSCORE', KEYS[2], ARGV[1])
if ends_at <= now or (stored and tonumber(stored) > ends_at) then
  return { now, 'OLDER', 0 }
end
redis.call('GEOADD', KEYS[1], ARGV[2], ARGV[3], ARGV[1])
redis.call('ZADD', KEYS[2], ends_at, ARGV[1])
for _, key in ipairs({ KEYS[1], KEYS[2] }) do
  if redis.call('PTTL', key) < tonumber(ARGV[4]) then
    redis.call('PEXPIRE', key, ARGV[4])
  end
end
return { now, 'STORED', ends_at - now }
`;
