import { clockText, factsText, fleetMemoryText, liveCountText, pinnedText } from './fleet-memory.lua.js';

export const renewNodeText = `-- Purpose: extend the window of a node for its holder, or let it report the node after Redis lost its memory.
-- KEYS[1]: slots, a sorted set: node by the ceiling of its last window in ms
-- KEYS[2]: grants, a hash: node to "token claim floor life holder"
-- KEYS[3]: meta, a hash: what the fleet agrees on, and how much Redis should remember
-- ARGV[1]: node
-- ARGV[2]: token that the holder has
-- ARGV[3]: token that replaces it
-- ARGV[4]: claim by which it was granted the node
-- ARGV[5]: holder
-- ARGV[6]: floor of the window in ms, as the holder knows it
-- ARGV[7]: ceiling of the window in ms, as the holder knows it
-- ARGV[8]: prefix of the visible keys, empty for none
-- ARGV[9]: agreed: layout
-- ARGV[10]: agreed: epochMs
-- ARGV[11]: agreed: allocatorId
-- ARGV[12]: windowMs
-- ARGV[13]: skewMaxMs
-- ARGV[14]: quarantineMs, the longest that the holder has seen
-- ARGV[15]: version that the holder has seen
-- ARGV[16]: clock of the holder in ms
-- ARGV[17]: first node that the holder may be granted
-- ARGV[18]: last node that the holder may be granted
-- Returns: a RenewReply of lease-store.ts as JSON; the live count is that of its range, at most a second ago
-- Why atomic: between the check of the token and the new ceiling, another holder could be granted the node.
local slots, grants, meta = KEYS[1], KEYS[2], KEYS[3]
local node, token, nextToken, claim, holder = ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5]
local floor, ownCeiling, visible = ARGV[6], tonumber(ARGV[7]), ARGV[8]
local windowMs, skewMaxMs, ownQuarantineMs = tonumber(ARGV[12]), tonumber(ARGV[13]), tonumber(ARGV[14])
local holderNow = tonumber(ARGV[16])
local knownVersion, isTrusted = tonumber(ARGV[15]), false
local first, last, layout = tonumber(ARGV[17]), tonumber(ARGV[18]), ARGV[9]
${clockText}${factsText}${pinnedText}
-- While the clocks differ, a silence may be a jump of one of them.
local isClockRight = math.abs(holderNow - now) <= skewMaxMs

local pins = { 'layout', layout, 'epochMs', ARGV[10], 'allocatorId', ARGV[11] }
for index = 1, 3 do
  local agreed = facts[index]
  if agreed and agreed ~= pins[2 * index] then return pinned(pins[2 * index - 1], agreed) end
end
${fleetMemoryText}
${liveCountText}
local function lost(detail)
  return cjson.encode({ kind = 'lost', detail = detail })
end

local function ended(detail)
  return cjson.encode({ kind = 'ended', detail = detail, nowMs = now })
end

local grant = redis.call('HGET', grants, node)
local ceiling = tonumber(redis.call('ZSCORE', slots, node)) or 0
local lastToken, lastClaim, lastLife, lastHolder
if grant then lastToken, lastClaim, lastLife, lastHolder = string.match(grant, '^(%S+) (%S+) %d+ (%S+) (.*)$') end
local isKnown = lastToken == token or lastToken == nextToken
if grant and (lastLife == life or ceiling >= ownCeiling) and not isKnown then
  return lost('the token is not the last one')
end
if lastLife == life and ceiling > 0 then
  -- Granted or reported in this life: what Redis remembers decides.
  if now >= ceiling then return ended('the window ended ' .. integer(now - ceiling) .. ' ms ago') end
else
  -- Redis remembers nothing of this window, or something of another life, which may be too old but never too new.
  if now >= safeAfter then return lost('it was not reported in time') end
  -- By the clock that granted it, the window may have ended already, and the node may have another holder.
  if now + skewMaxMs >= ownCeiling then
    return ended('too little of the window is left to report it: ' .. integer(ownCeiling - now) .. ' ms')
  end
  if ceiling > ownCeiling and not isKnown then return lost('it was granted again later') end
end

-- A wrong clock extends the window no further than that of its holder does, or it would outlast a quarantine.
local extended = math.max(ceiling, ownCeiling, (isClockRight and now or math.min(now, holderNow)) + windowMs)
if visible ~= '' then
  local key, mark = visible .. node, holder .. '#' .. claim
  local shown = redis.call('GET', key)
  -- The caller's own, or that of the earlier holder in the grant.
  local isOurs = not shown or shown == mark or (grant and shown == lastHolder .. '#' .. lastClaim)
  if not isOurs then return lost('its visible key is held by ' .. shown) end
  redis.call('SET', key, mark, 'PXAT', integer(extended))
end
redis.call('ZADD', slots, integer(extended), node)
redis.call('HSET', grants, node, table.concat({ nextToken, claim, floor, life, holder }, ' '))
-- The longest quarantine that any holder has seen, also while one is open.
local quarantineMs = math.max(agreedMs, ownQuarantineMs)
if now < safeAfter then
  redis.call('HSET', meta, 'safeAfter', integer(safeAfter - agreedMs + quarantineMs))
end
touch('quarantineMs', integer(quarantineMs), unpack(pins))
return cjson.encode({ kind = 'renewed', ceilingMs = extended, nowMs = now, liveCount = liveCount(true), version = version,
  quarantineMs = quarantineMs })
`;
