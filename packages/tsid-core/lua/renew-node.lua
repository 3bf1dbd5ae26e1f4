-- purpose   extend the window of a node by its holder, or let the holder re-assert it after Redis lost its memory
-- KEYS[1]   slots: ZSET, node -> ceiling of its last window (ms)
-- KEYS[2]   grants: HASH, node -> "token claim floor run holder"
-- KEYS[3]   meta: HASH, what the fleet shares and how much Redis should remember
-- ARGV[1]   node
-- ARGV[2]   token the holder has, ARGV[3] token it shall have from now on
-- ARGV[4]   claim the node was granted to, ARGV[5] holder
-- ARGV[6]   floor and ARGV[7] ceiling of the window as the holder knows them (ms)
-- ARGV[8]   prefix of the visible keys, empty for none
-- ARGV[9]   layout, ARGV[10] epochMs, ARGV[11] windowMs, ARGV[12] skewMaxMs, ARGV[13] allocatorId: the pins
-- returns   {'renewed', ceiling, now, live count}
--           {'pinned', field, pinned value}
--           {'lost', reason} when the node belongs to somebody else or the token is not the last one
--           {'ended', ms ago} when the window is over
-- why atomic  between a look at the token and the new ceiling another holder could be granted the node
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
local lastToken, lastRun
if grant then lastToken, lastRun = string.match(grant, '^(%S+) %S+ %d+ (%S+) ') end
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

if visible ~= '' then
  local key, mark = visible .. node, holder .. '#' .. claim
  local shown = redis.call('GET', key)
  if shown and shown ~= mark then return { 'lost', 'its visible key is held by ' .. shown } end
end
local extended = math.max(ceiling, ownCeiling, now + windowMs)
if visible ~= '' then
  redis.call('SET', visible .. node, holder .. '#' .. claim, 'PXAT', integer(extended))
end
redis.call('ZADD', slots, integer(extended), node)
redis.call('HSET', grants, node, table.concat({ nextToken, claim, floor, run, holder }, ' '))
redis.call('HSET', meta, 'slotCount', redis.call('ZCARD', slots), 'grantCount', redis.call('HLEN', grants))
return { 'renewed', extended, now, redis.call('ZCOUNT', slots, '(' .. integer(now), '+inf') }
