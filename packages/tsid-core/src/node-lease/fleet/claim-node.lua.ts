import { fleetMemoryText } from './fleet-memory.lua.js';

export const claimNodeText = `-- Purpose: grant a node for a window of timestamps: one never used, else the one whose window ended longest ago.
-- KEYS[1]: slots, a sorted set: node by the ceiling of its last window in ms
-- KEYS[2]: grants, a hash: node to "token claim floor life holder"
-- KEYS[3]: meta, a hash: what the fleet agrees on, and how much Redis should remember
-- ARGV[1]: claim, a random name of this attempt and the first token
-- ARGV[2]: holder, shown to operators
-- ARGV[3]: "1" when this claim was sent before and got no answer, else "0"
-- ARGV[4]: "1" when the caller vouches for a Redis that remembers nothing, else "0"
-- ARGV[5]: prefix of the visible keys, empty for none
-- ARGV[6]: node after the last that may be granted
-- ARGV[7]: agreed: layout
-- ARGV[8]: agreed: epochMs
-- ARGV[9]: agreed: allocatorId
-- ARGV[10]: "1" when the caller insists on its allocatorId, "0" when any agreed one will do
-- ARGV[11]: windowMs
-- ARGV[12]: skewMaxMs
-- ARGV[13]: quarantineMs, at least the sum of both
-- ARGV[14]: version that the caller has seen, 0 for none
-- ARGV[15]: first node that may be granted
-- ARGV[16]: clock of the claimant in ms
-- Returns: {'granted', node, floor, ceiling, now, live count, allocatorId, version, quarantineMs}, {'pinned', field,
--   agreed value}, {'clock', ms that the claimant is ahead}, {'quarantined', ms left, reason} or
--   {'exhausted', live count, ms until the next window ends}
-- Why atomic: of two claims that look before either writes, both would choose the same node.
local slots, grants, meta = KEYS[1], KEYS[2], KEYS[3]
local claim, holder, isRepeat, isTrusted, visible = ARGV[1], ARGV[2], ARGV[3] == '1', ARGV[4] == '1', ARGV[5]
local nodeEnd, layout, epochMs, ownAllocatorId = tonumber(ARGV[6]), ARGV[7], ARGV[8], ARGV[9]
local first = tonumber(ARGV[15])
local windowMs, skewMaxMs, ownQuarantineMs = tonumber(ARGV[11]), tonumber(ARGV[12]), tonumber(ARGV[13])
local knownVersion, isClockRight = tonumber(ARGV[14]), true

-- What a starter has configured is written with its grant and not before: who is refused binds nobody.
local agreed = redis.call('HMGET', meta, 'layout', 'epochMs', 'allocatorId', 'fresh')
if agreed[1] and agreed[1] ~= layout then return { 'pinned', 'layout', agreed[1] } end
if agreed[2] and agreed[2] ~= epochMs then return { 'pinned', 'epochMs', agreed[2] } end
if agreed[3] and agreed[3] ~= ownAllocatorId and ARGV[10] == '1' then
  return { 'pinned', 'allocatorId', agreed[3] }
end
local allocatorId = agreed[3] or ownAllocatorId

-- A window that its holder cannot mint in would only block the node, until whichever clock is wrong is corrected.
local clock = redis.call('TIME')
local aheadMs = tonumber(ARGV[16]) - clock[1] * 1000 - math.floor(clock[2] / 1000)
if math.abs(aheadMs) > skewMaxMs then return { 'clock', aheadMs } end
${fleetMemoryText}
-- A longer window than the fleet waits out must be declared first, as quarantineMs of a process with the windows of all.
if agreedMs > 0 and windowMs + skewMaxMs > agreedMs then return { 'pinned', 'quarantineMs', integer(agreedMs) } end
if isTrusted and reason == 'EMPTY' and now < safeAfter then
  safeAfter = now
  redis.call('HSET', meta, 'safeAfter', integer(safeAfter))
end
-- Nobody has said yet how long the fleet waits: then a starter with long windows waits for those of its own length.
local safeForMe = agreedMs > 0 and safeAfter or safeAfter + math.max(0, ownQuarantineMs - DEFAULT_QUARANTINE_MS)
local isQuarantined = now < safeAfter or (not isTrusted and now < safeForMe)

local function granted(node, floor, ceiling)
  local live = redis.call('ZCOUNT', slots, '(' .. integer(now), '+inf')
  return { 'granted', node, floor, ceiling, now, live, allocatorId, version, math.max(agreedMs, ownQuarantineMs) }
end

-- A claim whose answer was lost gets the same grant again; nobody has minted on it.
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
  redis.call('HSET', meta, 'touched', integer(now))
  return { 'quarantined', safeForMe - now, reason }
end

local mark = holder .. '#' .. claim

-- The visible key is taken by SET NX, as an allocator that knows nothing else does. False: it has the node.
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

-- Of a node that was never used, or whose last window is over: the floor is at or above its ceiling.
local function take(node)
  local floor, ceiling = now, now + windowMs
  if not showHolder(node, ceiling) then return nil end
  redis.call('ZADD', slots, integer(ceiling), node)
  redis.call('HSET', grants, node, table.concat({ claim, claim, integer(floor), life, holder }, ' '))
  touch()
  redis.call('HSET', meta, 'layout', layout, 'epochMs', epochMs, 'allocatorId', allocatorId,
    'quarantineMs', integer(math.max(agreedMs, ownQuarantineMs)))
  return granted(node, floor, ceiling)
end

-- Nodes that were never used come first: nothing ended longer ago. Below 'fresh' all were used; it stops at the first
-- one whose visible key is foreign, which is looked at again until it can be used.
local fresh = tonumber(agreed[4] or '0')
local isContiguous = first <= fresh
for node = math.max(fresh, first), nodeEnd - 1 do
  local isUsed = redis.call('ZSCORE', slots, node)
  local answer = not isUsed and take(node)
  isContiguous = isContiguous and (isUsed or answer)
  if isContiguous then redis.call('HSET', meta, 'fresh', node + 1) end
  if answer then return answer end
end
-- Then the one that ended longest ago, unless its visible key is foreign.
for offset = 0, redis.call('ZCOUNT', slots, '-inf', integer(now)) - 1 do
  local ended = redis.call('ZRANGEBYSCORE', slots, '-inf', integer(now), 'LIMIT', offset, 1)
  local node = tonumber(ended[1])
  local answer = node >= first and node < nodeEnd and take(node)
  if answer then return answer end
end
local nextEnd = redis.call('ZRANGEBYSCORE', slots, '(' .. integer(now), '+inf', 'WITHSCORES', 'LIMIT', 0, 1)
local nextEndsInMs = nextEnd[2] and tonumber(nextEnd[2]) - now or 0
return { 'exhausted', redis.call('ZCOUNT', slots, '(' .. integer(now), '+inf'), nextEndsInMs }
`;
