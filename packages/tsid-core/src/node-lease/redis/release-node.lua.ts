import { clockText, factsText, fleetMemoryText } from './fleet-memory.lua.js';

export const releaseNodeText = `-- Purpose: end the window of a node early, right after the last timestamp that was minted.
-- KEYS[1]: slots, a sorted set: node by the ceiling of its last window in ms
-- KEYS[2]: grants, a hash: node to "token claim floor life holder"
-- KEYS[3]: meta, a hash: what the fleet agrees on, and how much Redis should remember
-- ARGV[1]: node
-- ARGV[2]: token that the holder has
-- ARGV[3]: token that it has if its last renewal was applied
-- ARGV[4]: first millisecond that was not minted in
-- ARGV[5]: prefix of the visible keys, empty for none
-- ARGV[6]: version that the holder has seen
-- Returns: a ReleaseReply of lease-store.ts as JSON: lost when the node is no longer the caller's
-- Why atomic: the ceiling may be lowered only while the token is the last one.
local slots, grants, meta = KEYS[1], KEYS[2], KEYS[3]
local node, visible = ARGV[1], ARGV[5]
-- A release does not measure silence: its caller would not wait for a quarantine.
local ownQuarantineMs, knownVersion, isTrusted, isClockRight = nil, tonumber(ARGV[6]), false, false
${clockText}${factsText}${fleetMemoryText}
local grant = redis.call('HGET', grants, node)
local ceiling = tonumber(redis.call('ZSCORE', slots, node))
if not grant or not ceiling then return '{"kind":"lost"}' end
local token, claim, floor, lastLife, holder = string.match(grant, '^(%S+) (%S+) (%d+) (%S+) (.*)$')
if token ~= ARGV[2] and token ~= ARGV[3] then return '{"kind":"lost"}' end

local unminted = math.min(ceiling, math.max(tonumber(floor), tonumber(ARGV[4])))
redis.call('ZADD', slots, integer(unminted), node)
redis.call('HSET', grants, node, table.concat({ '-', claim, floor, lastLife, holder }, ' '))
touch()
if visible ~= '' and redis.call('GET', visible .. node) == holder .. '#' .. claim then
  redis.call('DEL', visible .. node)
end
return '{"kind":"released"}'
`;
