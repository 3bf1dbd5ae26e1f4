import { clockText, factsText, fleetMemoryText, liveCountText, pinnedText } from './fleet-memory.lua.js';

export const claimNodeText = `-- Purpose: grant a node for a window of timestamps: one never used, else the one whose window ended longest ago.
-- KEYS[1]: slots, a sorted set: node by the ceiling of its last window in ms
-- KEYS[2]: grants, a hash: node to "token claim floor life holder"
-- KEYS[3]: meta, a hash: what the fleet agrees on, and how much Redis should remember
-- ARGV[1]: claim, a random name of this attempt and the first token
-- ARGV[2]: holder, shown to operators
-- ARGV[3]: "1" when this claim was sent before and got no reply, else "0"
-- ARGV[4]: "1" when the caller vouches for a Redis that remembers nothing, else "0"
-- ARGV[5]: prefix of the visible keys, empty for none
-- ARGV[6]: last node that may be granted
-- ARGV[7]: agreed: layout
-- ARGV[8]: agreed: epochMs
-- ARGV[9]: agreed: allocatorId
-- ARGV[10]: "1" to refuse any other allocatorId, "0" to accept the agreed one
-- ARGV[11]: windowMs
-- ARGV[12]: skewMaxMs
-- ARGV[13]: quarantineMs, at least the sum of both
-- ARGV[14]: version that the caller has seen, 0 for none
-- ARGV[15]: first node that may be granted
-- ARGV[16]: clock of the caller in ms
-- Returns: a ClaimReply of lease-store.ts as JSON; live counts are those of the range
-- Why atomic: of two claims that look before either writes, both would choose the same node.
local slots, grants, meta = KEYS[1], KEYS[2], KEYS[3]
local claim, holder, isRepeat, isTrusted, visible = ARGV[1], ARGV[2], ARGV[3] == '1', ARGV[4] == '1', ARGV[5]
local first, last, layout, epochMs, ownAllocatorId = tonumber(ARGV[15]), tonumber(ARGV[6]), ARGV[7], ARGV[8], ARGV[9]
local windowMs, skewMaxMs, ownQuarantineMs = tonumber(ARGV[11]), tonumber(ARGV[12]), tonumber(ARGV[13])
local knownVersion, isClockRight = tonumber(ARGV[14]), true
${clockText}${factsText}${pinnedText}
-- The settings of a caller are written with its grant and not before, so one that is refused changes nothing.
local fresh = 'fresh:' .. first .. '-' .. last
if facts[1] and facts[1] ~= layout then return pinned('layout', facts[1]) end
if facts[2] and facts[2] ~= epochMs then return pinned('epochMs', facts[2]) end
if facts[3] and facts[3] ~= ownAllocatorId and ARGV[10] == '1' then return pinned('allocatorId', facts[3]) end
local allocatorId = facts[3] or ownAllocatorId

-- A holder could not mint in a window of another time; it would only block the node until a clock is corrected.
local aheadMs = tonumber(ARGV[16]) - now
if math.abs(aheadMs) > skewMaxMs then
  return cjson.encode({ kind = 'clock', aheadMs = aheadMs })
end
${fleetMemoryText}
${liveCountText}
-- Windows longer than the fleet's quarantine covers must be declared first: see quarantineMs.
if agreedMs > 0 and windowMs + skewMaxMs > agreedMs then return pinned('quarantineMs', integer(agreedMs)) end
if isTrusted and reason == 'EMPTY' and now < safeAfter then
  safeAfter = now
  redis.call('HSET', meta, 'safeAfter', integer(safeAfter))
end
-- While the fleet has agreed on no quarantine, a caller with long windows waits for one that covers its own.
local safeForMe = agreedMs > 0 and safeAfter or safeAfter + math.max(0, ownQuarantineMs - DEFAULT_QUARANTINE_MS)
local isQuarantined = now < safeAfter or (not isTrusted and now < safeForMe)

local function granted(node, floor, ceiling)
  return cjson.encode({ kind = 'granted', node = node, floorMs = floor, ceilingMs = ceiling, nowMs = now,
    liveCount = liveCount(), allocatorId = allocatorId, version = version,
    quarantineMs = math.max(agreedMs, ownQuarantineMs) })
end

-- A claim whose reply was lost gets the same grant again. Its holder has not minted on it.
if isRepeat then
  local all = redis.call('HGETALL', grants)
  for index = 1, #all, 2 do
    local token, sameClaim, floor = string.match(all[index + 1], '^(%S+) (%S+) (%d+) ')
    local ceiling = tonumber(redis.call('ZSCORE', slots, all[index]))
    if token == claim and sameClaim == claim and ceiling and ceiling > now then
      return granted(tonumber(all[index]), tonumber(floor), ceiling)
    end
  end
end

if isQuarantined then
  redis.call('HSET', meta, 'touched', integer(now), 'written', integer(now))
  return cjson.encode({ kind = 'quarantined', leftMs = safeForMe - now, reason = reason })
end

local mark = holder .. '#' .. claim

-- Takes the visible key by SET NX, as an allocator that uses only such keys does. False if that one has the node.
local function showHolder(node, ceiling)
  if visible == '' then return true end
  local key = visible .. node
  local shown = redis.call('GET', key)
  local grant = shown and redis.call('HGET', grants, node)
  if grant then
    local lastClaim, lastHolder = string.match(grant, '^%S+ (%S+) %d+ %S+ (.*)$')
    if shown == lastHolder .. '#' .. lastClaim then redis.call('DEL', key) end
  end
  return redis.call('SET', key, mark, 'NX', 'PXAT', integer(ceiling))
end

-- The last window of the node has ended, so the new floor is at or above its ceiling.
local function take(node)
  local floor, ceiling = now, now + windowMs
  if not showHolder(node, ceiling) then return nil end
  redis.call('ZADD', slots, integer(ceiling), node)
  redis.call('HSET', grants, node, table.concat({ claim, claim, integer(floor), life, holder }, ' '))
  touch('layout', layout, 'epochMs', epochMs, 'allocatorId', allocatorId,
    'quarantineMs', integer(math.max(agreedMs, ownQuarantineMs)))
  return granted(node, floor, ceiling)
end

-- Nodes that were never used come first, the highest one first: static nodes chosen by hand are low. All nodes of the
-- range from 'fresh' on were used. A node with a foreign visible key counts as unused until it can be granted. Each page
-- is eight times as long as the one before: usually one node is enough, and a range without any costs few calls.
local start = tonumber(redis.call('HGET', meta, fresh) or last + 1)
local usedFrom, isContiguous, reply = start, true, nil
local top, count = start - 1, 1
while top >= first and not reply do
  local page = {}
  for node = top, math.max(first, top - count + 1), -1 do page[#page + 1] = node end
  local used = redis.call('ZMSCORE', slots, unpack(page))
  for index, node in ipairs(page) do
    reply = not used[index] and take(node)
    isContiguous = isContiguous and (used[index] or reply)
    if isContiguous then usedFrom = node end
    if reply then break end
  end
  top, count = top - count, math.min(count * 8, 512)
end
if usedFrom < start then redis.call('HSET', meta, fresh, usedFrom) end
if reply then return reply end

-- Then the one whose window ended longest ago.
local offset = 0
local endedCount = redis.call('ZCOUNT', slots, '-inf', integer(now))
count = 1
while offset < endedCount do
  for _, ended in ipairs(redis.call('ZRANGEBYSCORE', slots, '-inf', integer(now), 'LIMIT', offset, count)) do
    local node = tonumber(ended)
    reply = node >= first and node <= last and take(node)
    if reply then return reply end
  end
  offset, count = offset + count, count * 8
end
local live = redis.call('ZRANGEBYSCORE', slots, '(' .. integer(now), '+inf', 'WITHSCORES')
local nextEndsInMs = 0
for index = #live - 1, 1, -2 do
  local node = tonumber(live[index])
  if node >= first and node <= last then nextEndsInMs = tonumber(live[index + 1]) - now end
end
return cjson.encode({ kind = 'exhausted', liveCount = liveCount(), nextEndsInMs = nextEndsInMs })
`;
