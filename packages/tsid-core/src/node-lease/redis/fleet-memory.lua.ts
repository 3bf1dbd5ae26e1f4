/*
 * The common start of claim, renew and release. It checks whether Redis still remembers everything it granted, and
 * opens a quarantine if it might not. During a quarantine no node is granted. Everything granted before ends in that
 * time, and live holders report their nodes by renewing.
 *
 *   EMPTY         there is no data, and the caller has never seen any
 *   RESTARTED     the data was written by another Redis process: a restart, a failover, a moved slot; or by this one before
 *                 it was a replica
 *   ENTRIES_LOST  fewer or more entries than were written: eviction, a deleted key, or a wipe that a holder survived
 *   ROLLED_BACK   a holder has seen a later version than this one: older keys were restored. Or a silence as below after
 *                 which the keys are not as they were left: somebody has touched them, perhaps to restore older ones
 *   SILENT        no contact for longer than a quarantine, although a node was held: a master that was frozen while
 *                 another one took its place, or older keys. It granted nothing in that time. Its replacement waits
 *                 out a quarantine before its first grant, so after a shorter silence nothing can be missing.
 *   IDLE          the same silence, but every node had been released, and Redis knows that nobody has touched the keys
 *                 since. Usually the fleet was stopped, so the wait is short: just long enough for holders of a
 *                 replacement to reconnect. The first one that reports shows by its version that Redis was ROLLED_BACK.
 *
 * A contact is a grant, a renewal, or a claim that a quarantine refused, while the clocks agree. A quarantine that opens while
 * they differ might end as soon as the clock of Redis is corrected. So it leaves no contact, and opens again at the
 * first one after its end.
 *
 * Each quarantine begins a new life. Every grant names the life it was written in. In the same life, the token decides.
 * In a later life the grant may be too old, and its holder may report a newer one.
 *
 * The quarantine lasts as long as the fleet has agreed on. If that is lost too, a new process cannot know it and waits
 * at least the default. The first process that ever held a node sets the length, counted from the quarantine's start.
 */

/** Reads the clock of Redis. It stands still while a script runs. */
export const clockText = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
`;

/**
 * The facts of the fleet, and for how many seconds nobody has read or written them before. That is not a number if Redis does
 * not know: it evicts by frequency of use, or its user may not ask.
 */
export const factsText = `
local untouched = redis.pcall('OBJECT', 'IDLETIME', KEYS[3])
local facts = redis.call('HMGET', KEYS[3], 'layout', 'epochMs', 'allocatorId', 'run', 'slotCount', 'grantCount', 'life',
  'version', 'touched', 'safeAfter', 'reason', 'quarantineMs', 'written')
`;

/** The reply to a caller whose setting differs from the fleet's. */
export const pinnedText = `
local function pinned(field, agreed)
  return cjson.encode({ kind = 'pinned', field = field, pinned = agreed })
end
`;

export const fleetMemoryText = `
local function valueOf(info, field)
  local _, colon = string.find(info, field .. ':', 1, true)
  return colon and string.match(info, '^%w+', colon + 1) or ''
end
local run, replication = valueOf(redis.call('INFO', 'server'), 'run_id'), redis.call('INFO', 'replication')
-- A master that was a replica has the keys of its master then. Each promotion gives it another replication ID.
if string.find(valueOf(replication, 'master_replid2'), '[^0]') then run = run .. valueOf(replication, 'master_replid') end
local DEFAULT_QUARANTINE_MS, IDLE_QUARANTINE_MS = 35000, 2000
-- Redis counts in seconds, by a clock that it reads a few times a second.
local UNTOUCHED_ERROR_MS = 2000

local function integer(value)
  return string.format('%.0f', value)
end

local lastRun, life, version, touched = facts[4], facts[7], tonumber(facts[8] or '0'), tonumber(facts[9] or '0')
local safeAfter, reason = tonumber(facts[10] or '0'), facts[11] or 'RESTARTED'
local agreedMs, written = tonumber(facts[12] or '0'), tonumber(facts[13] or '0')
local lengthMs = agreedMs > 0 and agreedMs or DEFAULT_QUARANTINE_MS
if not life or string.match(life, '^%w+') ~= run then life = run end

-- Whether the keys are those that a script wrote last. Older ones that were restored were touched later than that.
local function isAsLeft()
  return type(untouched) == 'number' and now - written <= untouched * 1000 + UNTOUCHED_ERROR_MS
end

local function silence()
  if now - touched <= lengthMs then return nil end
  for _, node in ipairs(redis.call('ZRANGEBYSCORE', slots, '(' .. integer(touched), '+inf')) do
    local grant = redis.call('HGET', grants, node)
    if grant and string.sub(grant, 1, 2) ~= '- ' then return 'SILENT' end
  end
  return isAsLeft() and 'IDLE' or 'ROLLED_BACK'
end

local function whatHappened(slotCount, grantCount)
  if not lastRun then
    local isEmpty = slotCount == 0 and grantCount == 0 and knownVersion == 0
    return isEmpty and 'EMPTY' or 'ENTRIES_LOST'
  end
  if lastRun ~= run then return 'RESTARTED' end
  if tonumber(facts[5]) ~= slotCount or tonumber(facts[6]) ~= grantCount then return 'ENTRIES_LOST' end
  local isOpen = now < safeAfter
  if version < knownVersion and (not isOpen or reason == 'IDLE') then return 'ROLLED_BACK' end
  if isOpen or not isClockRight then return nil end
  if touched == 0 then return reason end
  return silence()
end

-- Nodes whose entries were lost count as never used.
local function forgetFresh()
  for _, field in ipairs(redis.call('HKEYS', meta)) do
    if string.sub(field, 1, 6) == 'fresh:' then redis.call('HDEL', meta, field) end
  end
end

local function remember()
  local slotCount, grantCount = redis.call('ZCARD', slots), redis.call('HLEN', grants)
  local happened = whatHappened(slotCount, grantCount)
  if not happened then return end
  local isVouchedFor = isTrusted and (happened == 'EMPTY' or happened == 'RESTARTED' or happened == 'IDLE')
  local waitMs = happened == 'IDLE' and math.min(lengthMs, IDLE_QUARANTINE_MS) or lengthMs
  safeAfter = isVouchedFor and now or now + waitMs
  reason, life, touched, written = happened, run .. '.' .. integer(now), isClockRight and now or 0, now
  redis.call('HSET', meta, 'run', run, 'slotCount', slotCount, 'grantCount', grantCount, 'life', life,
    'touched', integer(touched), 'safeAfter', integer(safeAfter), 'reason', reason, 'written', integer(now))
  forgetFresh()
end
remember()

-- A caller that was granted a node before knows how long its fleet waits, and that this Redis was not empty at first.
local isTooEmpty = now < safeAfter and reason == 'EMPTY'
if knownVersion > 0 and ownQuarantineMs and (agreedMs == 0 or isTooEmpty) then
  if agreedMs == 0 then
    if now < safeAfter then safeAfter = safeAfter - DEFAULT_QUARANTINE_MS + ownQuarantineMs end
    agreedMs = ownQuarantineMs
  end
  if isTooEmpty then reason = 'ENTRIES_LOST' end
  redis.call('HSET', meta, 'quarantineMs', integer(agreedMs), 'safeAfter', integer(safeAfter), 'reason', reason)
end

-- To be called after every change of what a holder may mint, with the other facts to write. A silence that was not measured
-- is not ended by it, and keys that were restored do not become right.
local function touch(...)
  version = math.max(version, knownVersion) + 1
  if isClockRight then touched = now end
  if isClockRight or isAsLeft() then written = now end
  redis.call('HSET', meta, 'slotCount', redis.call('ZCARD', slots), 'grantCount', redis.call('HLEN', grants),
    'version', integer(version), 'touched', integer(touched), 'written', integer(written), ...)
end
`;

/**
 * The number of live leases on the nodes of `layout` from `first` to `last`. For a part of them, all live leases are looked at;
 * callers that accept a count of the last second share one look. After the text above, which defines `integer`.
 */
export const liveCountText = `
local function liveCount(isShared)
  local nodeBits = tonumber(string.match(layout, '^%d+/(%d+)/'))
  if first == 0 and last == 2 ^ nodeBits - 1 then return redis.call('ZCOUNT', slots, '(' .. integer(now), '+inf') end
  local field, count = 'live:' .. first .. '-' .. last, 0
  if isShared then
    local shared, countedMs = string.match(redis.call('HGET', meta, field) or '', '^(%d+) (%d+)$')
    if shared and math.abs(now - countedMs) < 1000 then return tonumber(shared) end
  end
  for _, live in ipairs(redis.call('ZRANGEBYSCORE', slots, '(' .. integer(now), '+inf')) do
    local node = tonumber(live)
    if node >= first and node <= last then count = count + 1 end
  end
  redis.call('HSET', meta, field, count .. ' ' .. integer(now))
  return count
end
`;
