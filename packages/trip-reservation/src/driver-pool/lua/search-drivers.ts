import { hiddenDriversText, poolKeysText } from './hidden-drivers.js';

export const searchDriversText = `-- Purpose: find the nearest free drivers around a place and, if asked to, reserve them for one trip.
${poolKeysText}
-- ARGV[1], ARGV[2]: longitude and latitude; ARGV[3]: radius in metres; ARGV[4]: maximum number of drivers
-- ARGV[5]: maximum number of positions to look at; ARGV[6]: 1 if drivers are wanted even if there are more positions
-- ARGV[7]: the trip; ARGV[8]: how long to reserve the drivers for it, in milliseconds; 0: only look
-- ARGV[9]: the deadline by this server's clock, in milliseconds; 0 for none; ARGV[10..n]: drivers to leave out
-- Returns: this server's clock in milliseconds; 'LATE' after the deadline, 'MORE' if there were more positions and no
--   drivers are wanted then, else 'FOUND'; then for each driver the ID, the distance in metres, and the time at which
--   the reservation expires, in milliseconds: no other reservation for this trip has the same
-- Why atomic: two searches at one place would find the same drivers before either reserves them.
${hiddenDriversText}
if tonumber(ARGV[9]) > 0 and now > tonumber(ARGV[9]) then
  return { now, 'LATE' }
end
expire(200)
local function around(key)
  return redis.call('GEOSEARCH', key, 'FROMLONLAT', ARGV[1], ARGV[2], 'BYRADIUS', ARGV[3], 'm', 'ASC',
    'COUNT', ARGV[5], 'ANY', 'WITHDIST')
end
local function pages(found, visit)
  for first = 1, #found, 50 do
    local ids = {}
    for index = first, math.min(first + 49, #found) do
      ids[#ids + 1] = found[index][1]
    end
    visit(ids, first - 1)
  end
end
local found = around(KEYS[1])
if #found >= tonumber(ARGV[5]) and ARGV[6] == '0' then
  return { now, 'MORE' }
end
-- Drivers whom an earlier search reserved for this trip, which was not offered to them.
local own = {}
local hidden = around(KEYS[4])
local shown_count = #found
pages(hidden, function(ids, before)
  for index, mark in ipairs(redis.call('HMGET', KEYS[3], unpack(ids))) do
    local trip, ends_at = string.match(mark or '', '^(%d+):(%d+)$')
    if trip == ARGV[7] then
      own[ids[index]] = tonumber(ends_at)
      found[#found + 1] = hidden[before + index]
    end
  end
end)
if #found > shown_count then
  table.sort(found, function(one, other)
    return tonumber(one[2]) < tonumber(other[2])
  end)
end
local left_out = {}
for index = 10, #ARGV do
  left_out[ARGV[index]] = true
end
local answer = { now, 'FOUND' }
local wanted = tonumber(ARGV[4])
pages(found, function(ids, before)
  if wanted == 0 then
    return
  end
  for index, heard_until in ipairs(redis.call('ZMSCORE', KEYS[2], unpack(ids))) do
    local id = ids[index]
    if wanted > 0 and heard_until and tonumber(heard_until) > now and not left_out[id] then
      wanted = wanted - 1
      local reserved_until = now + ARGV[8]
      if own[id] then
        reserved_until = math.max(reserved_until, own[id] + 1)
      end
      answer[#answer + 1] = id
      answer[#answer + 1] = found[before + index][2]
      answer[#answer + 1] = string.format('%.0f', reserved_until)
      if tonumber(ARGV[8]) > 0 then
        hide(id, ARGV[7], reserved_until)
      end
    end
  end
end)
return answer
`;
