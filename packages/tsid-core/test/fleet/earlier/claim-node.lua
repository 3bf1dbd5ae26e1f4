-- Purpose: grant a node for a window of timestamps: one never used, else the one whose window ended longest ago.
-- KEYS[1]: slots, a sorted set: node by the ceiling of its last window in ms
-- KEYS[2]: grants, a hash: node to "token claim floor run holder"
-- KEYS[3]: meta, a hash: what the fleet shares, and how much Redis should remember
-- ARGV[1]: claim, a random name of this attempt and the first token
-- ARGV[2]: holder, shown to operators
-- ARGV[3]: "1" when this claim was sent before and got no answer, else "0"
-- ARGV[4]: "1" when the caller vouches for a Redis that remembers nothing, else "0"
-- ARGV[5]: prefix of the visible keys, empty for none
-- ARGV[6]: number of nodes
-- ARGV[7]: pin: layout
-- ARGV[8]: pin: epochMs
-- ARGV[9]: pin: windowMs
-- ARGV[10]: pin: skewMaxMs
-- ARGV[11]: pin: allocatorId
-- ARGV[12]: "1" when the caller insists on its allocatorId, "0" when any pinned one will do
-- ARGV[13]: clock of the claimant in ms
-- Returns: {'granted', node, floor, ceiling, now, live count, allocatorId}, {'pinned', field, pinned value},
--   {'clock', ms that the claimant is ahead}, {'quarantined', ms left} or
--   {'exhausted', live count, ms until the next window ends}
-- Why atomic: of two claims that look before either writes, both would choose the same node.
local slots, grants, meta = KEYS[1], KEYS[2], KEYS[3]
local claim, holder, isRepeat, isTrusted, visible = ARGV[1], ARGV[2], ARGV[3] == '1', ARGV[4] == '1', ARGV[5]
local nodeCount, windowMs, skewMaxMs = tonumber(ARGV[6]), tonumber(ARGV[9]), tonumber(ARGV[10])
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local run = string.match(redis.call('INFO', 'server'), 'run_id:(%w+)')

local function integer(value)
  return string.format('%.0f', value)
end

-- The fleet agrees on its pins, or it has none yet. An allocatorId that nobody insists on is pinned with the first grant
-- only: before that, a living holder may report the one that the fleet had.
local fields = { 'layout', 'epochMs', 'windowMs', 'skewMaxMs', 'allocatorId' }
local pins = { ARGV[7], ARGV[8], ARGV[9], ARGV[10], ARGV[11] }
local known = redis.call('HMGET', meta, 'layout', 'epochMs', 'windowMs', 'skewMaxMs', 'allocatorId', 'run', 'slotCount',
  'grantCount', 'safeAfter', 'fresh')
local allocatorId, lastRun, lastSlotCount, lastGrantCount, lastSafeAfter, lastFresh = unpack(known, 5, 10)
local changes = {}
for index = 1, ARGV[12] == '1' and 5 or 4 do
  local field, pin, pinned = fields[index], pins[index], known[index]
  if pinned and pinned ~= pin then return { 'pinned', field, pinned } end
  if not pinned then
    changes[#changes + 1] = field
    changes[#changes + 1] = pin
  end
end
if #changes > 0 then redis.call('HSET', meta, unpack(changes)) end
allocatorId = allocatorId or ARGV[12] == '1' and ARGV[11]

-- A window that its holder cannot mint in would only block the node, until whichever clock is wrong is corrected.
local aheadMs = tonumber(ARGV[13]) - now
if math.abs(aheadMs) > skewMaxMs then return { 'clock', aheadMs } end

-- A new process of Redis, or fewer entries than were written: leases may be forgotten, living holders report.
local slotCount, grantCount = redis.call('ZCARD', slots), redis.call('HLEN', grants)
local safeAfter = tonumber(lastSafeAfter)
if lastRun ~= run or tonumber(lastSlotCount) ~= slotCount or tonumber(lastGrantCount) ~= grantCount then
  safeAfter = now + windowMs + skewMaxMs
  if isTrusted then safeAfter = now end
  redis.call('HSET', meta, 'run', run, 'slotCount', slotCount, 'grantCount', grantCount, 'safeAfter', integer(safeAfter))
end

local function granted(node, floor, ceiling)
  local live = redis.call('ZCOUNT', slots, '(' .. integer(now), '+inf')
  return { 'granted', node, floor, ceiling, now, live, allocatorId or ARGV[11] }
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

if now < safeAfter then return { 'quarantined', safeAfter - now } end

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

local function take(node, lastCeiling)
  local floor = math.max(lastCeiling, now)
  local ceiling = floor + windowMs
  if not showHolder(node, ceiling) then return nil end
  redis.call('ZADD', slots, integer(ceiling), node)
  redis.call('HSET', grants, node, table.concat({ claim, claim, integer(floor), run, holder }, ' '))
  redis.call('HSET', meta, 'slotCount', redis.call('ZCARD', slots), 'grantCount', redis.call('HLEN', grants),
    'allocatorId', allocatorId or ARGV[11])
  return granted(node, floor, ceiling)
end

-- Nodes that were never used come first: nothing ended longer ago. Below `fresh` all were used; it stops at the first
-- one whose visible key is foreign, which is looked at again until it can be used.
local fresh = tonumber(lastFresh or '0')
local isContiguous = true
for node = fresh, nodeCount - 1 do
  local isUsed = redis.call('ZSCORE', slots, node)
  local answer = not isUsed and take(node, 0)
  isContiguous = isContiguous and (isUsed or answer)
  if isContiguous then redis.call('HSET', meta, 'fresh', node + 1) end
  if answer then return answer end
end
-- Then the one that ended longest ago, unless its visible key is foreign.
for offset = 0, redis.call('ZCOUNT', slots, '-inf', integer(now)) - 1 do
  local ended = redis.call('ZRANGEBYSCORE', slots, '-inf', integer(now), 'WITHSCORES', 'LIMIT', offset, 1)
  local answer = take(tonumber(ended[1]), tonumber(ended[2]))
  if answer then return answer end
end
local nextEnd = redis.call('ZRANGEBYSCORE', slots, '(' .. integer(now), '+inf', 'WITHSCORES', 'LIMIT', 0, 1)
local nextEndsInMs = nextEnd[2] and tonumber(nextEnd[2]) - now or 0
return { 'exhausted', redis.call('ZCOUNT', slots, '(' .. integer(now), '+inf'), nextEndsInMs }
