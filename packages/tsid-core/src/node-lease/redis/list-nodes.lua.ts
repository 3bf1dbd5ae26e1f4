import { clockText } from './fleet-memory.lua.js';

export const listNodesText = `-- Purpose: list who holds or last held each node that was ever used, and for how long.
-- KEYS[1]: slots, a sorted set: node by the ceiling of its last window in ms
-- KEYS[2]: grants, a hash: node to "token claim floor life holder"
-- KEYS[3]: meta, a hash: what the fleet shares, and how much Redis should remember
-- Returns: {now, safe after, layout, allocatorId} and then for each node that was used {node, ceiling, floor, holder};
--   0 or empty where unknown
-- Why atomic: clock, windows and holders are read at one moment.
${clockText}local meta = redis.call('HMGET', KEYS[3], 'safeAfter', 'layout', 'allocatorId')
local answer = { now, tonumber(meta[1] or '0'), meta[2] or '', meta[3] or '' }
local used = redis.call('ZRANGE', KEYS[1], 0, -1, 'WITHSCORES')
for index = 1, #used, 2 do
  local grant = redis.call('HGET', KEYS[2], used[index]) or ''
  local floor, holder = string.match(grant, '^%S+ %S+ (%d+) %S+ (.*)$')
  answer[#answer + 1] = tonumber(used[index])
  answer[#answer + 1] = tonumber(used[index + 1])
  answer[#answer + 1] = tonumber(floor or '0')
  answer[#answer + 1] = holder or ''
end
return answer
`;
