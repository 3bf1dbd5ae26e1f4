import { removeExpiredText } from './remove-expired.js';

export const searchDriversText = `-- Purpose: find the nearest free drivers around a place and, if asked to, reserve them for one trip.
-- KEYS[1]: {driver_pool:namespace}:places, a geo set of driver IDs
-- KEYS[2]: {driver_pool:namespace}:heard, driver IDs by the time at which their position expires, in milliseconds
-- KEYS[3]: {driver_pool:namespace}:marks, by driver ID: <trip ID>:<time at which the mark expires, in milliseconds>
-- ARGV[1], ARGV[2]: longitude and latitude; ARGV[3]: radius in metres; ARGV[4]: maximum number of drivers
-- ARGV[5]: maximum number of positions to look at; ARGV[6]: 1 if drivers are wanted even if there are more positions
-- ARGV[7]: the trip; ARGV[8]: how long to reserve the drivers for it, in milliseconds; 0: only look
-- ARGV[9]: the deadline by this server's clock, in milliseconds; 0 for none; ARGV[10..n]: drivers to leave out
-- Returns: this server's clock in milliseconds; 'LATE' after the deadline, 'MORE' if there were more positions and no
--   drivers are wanted then, else 'FOUND'; then for each driver the ID, the distance in metres, and the time at which
--   the reservation expires, in milliseconds: no other reservation for this trip has the same
-- Why atomic: two searches at one place would find the same drivers before either reserves them.
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
if tonumber(ARGV[9]) > 0 and now > tonumber(ARGV[9]) then
  return { now, 'LATE' }
end
local removed_max = 200
${removeExpiredText}
local found = redis.call('GEOSEARCH', KEYS[1], 'FROMLONLAT', ARGV[1], ARGV[2], 'BYRADIUS', ARGV[3], 'm', 'ASC',
  'COUNT', ARGV[5], 'ANY', 'WITHDIST')
if #found >= tonumber(ARGV[5]) and ARGV[6] == '0' then
  return { now, 'MORE' }
end
local left_out = {}
for index = 10, #ARGV do
  left_out[ARGV[index]] = true
end
local answer = { now, 'FOUND' }
local reserved = {}
local wanted = tonumber(ARGV[4])
for first = 1, #found, 50 do
  local ids = {}
  for index = first, math.min(first + 49, #found) do
    ids[#ids + 1] = found[index][1]
  end
  local heard = redis.call('ZMSCORE', KEYS[2], unpack(ids))
  local marks = redis.call('HMGET', KEYS[3], unpack(ids))
  for index, id in ipairs(ids) do
    local trip, ends_at = string.match(marks[index] or '', '^(%d+):(%d+)$')
    local is_free = not trip or trip == ARGV[7] or tonumber(ends_at) <= now
    if wanted > 0 and heard[index] and tonumber(heard[index]) > now and is_free and not left_out[id] then
      wanted = wanted - 1
      local reserved_until = now + ARGV[8]
      if trip == ARGV[7] then
        reserved_until = math.max(reserved_until, ends_at + 1)
      end
      local expiry = string.format('%.0f', reserved_until)
      answer[#answer + 1] = id
      answer[#answer + 1] = found[first + index - 1][2]
      answer[#answer + 1] = expiry
      reserved[#reserved + 1] = id
      reserved[#reserved + 1] = ARGV[7] .. ':' .. expiry
    end
  end
  if wanted == 0 then
    break
  end
end
if #reserved > 0 and tonumber(ARGV[8]) > 0 then
  redis.call('HSET', KEYS[3], unpack(reserved))
  if redis.call('PTTL', KEYS[3]) < tonumber(ARGV[8]) then
    redis.call('PEXPIRE', KEYS[3], ARGV[8])
  end
end
return answer
`;
