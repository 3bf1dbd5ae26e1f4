-- Purpose: extend the window of a node for its holder, or let it report the node after Redis lost its memory.
-- KEYS[1]: slots, a sorted set: node by the ceiling of its last window in ms
-- KEYS[2]: grants, a hash: node to "token claim floor run holder"
-- KEYS[3]: meta, a hash: what the fleet shares, and how much Redis should remember
-- ARGV[1]: node
-- ARGV[2]: token that the holder has
-- ARGV[3]: token that it shall have from now on
-- ARGV[4]: claim that the node was granted to
-- ARGV[5]: holder
-- ARGV[6]: floor of the window in ms, as the holder knows it
-- ARGV[7]: ceiling of the window in ms, as the holder knows it
-- ARGV[8]: prefix of the visible keys, empty for none
-- ARGV[9]: pin: layout
-- ARGV[10]: pin: epochMs
-- ARGV[11]: pin: windowMs
-- ARGV[12]: pin: skewMaxMs
-- ARGV[13]: pin: allocatorId
-- Returns: {'renewed', ceiling, now, live count}, {'pinned', field, pinned value}, {'lost', reason} when the node is
--   somebody else's or the token is not the last one, or {'ended', ms ago} when the window is over
-- Why atomic: between a look at the token and the new ceiling, another holder could be granted the node.
local slots, grants, meta = KEYS[1], KEYS[2], KEYS[3]
local node, token, nextToken, claim, holder = ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5]
local floor, ownCeiling, visible = ARGV[6], tonumber(ARGV[7]), ARGV[8]
local windowMs, skewMaxMs = tonumber(ARGV[11]), tonumber(ARGV[12])
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local run = string.match(redis.call('INFO', 'server'), 'run_id:(%w+)')

local function integer(value)
  return string.format('%.0f', value)
end

local pins = {
  'layout', ARGV[9], 'epochMs', ARGV[10], 'windowMs', ARGV[11], 'skewMaxMs', ARGV[12], 'allocatorId', ARGV[13],
}
for index = 1, #pins, 2 do
  local pinned = redis.call('HGET', meta, pins[index])
  if pinned and pinned ~= pins[index + 1] then
    return { 'pinned', pins[index], pinned }
  end
end
redis.call('HSET', meta, unpack(pins))

-- A new process of Redis, or fewer entries than were written: open the quarantine in which holders report.
local known = redis.call('HMGET', meta, 'run', 'slotCount', 'grantCount')
local slotCount, grantCount = redis.call('ZCARD', slots), redis.call('HLEN', grants)
if known[1] ~= run or tonumber(known[2]) ~= slotCount or tonumber(known[3]) ~= grantCount then
  redis.call('HSET', meta, 'run', run, 'slotCount', slotCount, 'grantCount', grantCount)
  redis.call('HSET', meta, 'safeAfter', integer(now + windowMs + skewMaxMs))
end

local grant = redis.call('HGET', grants, node)
local ceiling = tonumber(redis.call('ZSCORE', slots, node)) or 0
local lastToken, lastClaim, lastRun, lastHolder
if grant then lastToken, lastClaim, lastRun, lastHolder = string.match(grant, '^(%S+) (%S+) %d+ (%S+) (.*)$') end
local isKnown = lastToken == token or lastToken == nextToken
if grant and (lastRun == run or ceiling >= ownCeiling) and not isKnown then
  return { 'lost', 'the token is not the last one' }
end
if lastRun == run and ceiling > 0 then
  -- Granted or re-asserted since Redis started: its memory decides.
  if now >= ceiling then return { 'ended', now - ceiling } end
else
  -- Redis has no memory of this window, or one from another life, which may be too old but never too new.
  if now >= tonumber(redis.call('HGET', meta, 'safeAfter')) then return { 'lost', 'it was not reported in time' } end
  if now >= ownCeiling then return { 'ended', now - ownCeiling } end
  if ceiling > ownCeiling and not isKnown then return { 'lost', 'it was granted again later' } end
end

local extended = math.max(ceiling, ownCeiling, now + windowMs)
if visible ~= '' then
  local key, mark = visible .. node, holder .. '#' .. claim
  local shown = redis.call('GET', key)
  -- Besides our own: that of the holder whom Redis remembers, whose node this was before.
  local isOurs = not shown or shown == mark or (grant and shown == lastHolder .. '#' .. lastClaim)
  if not isOurs then return { 'lost', 'its visible key is held by ' .. shown } end
  redis.call('SET', key, mark, 'PXAT', integer(extended))
end
redis.call('ZADD', slots, integer(extended), node)
redis.call('HSET', grants, node, table.concat({ nextToken, claim, floor, run, holder }, ' '))
redis.call('HSET', meta, 'slotCount', redis.call('ZCARD', slots), 'grantCount', redis.call('HLEN', grants))
return { 'renewed', extended, now, redis.call('ZCOUNT', slots, '(' .. integer(now), '+inf') }
