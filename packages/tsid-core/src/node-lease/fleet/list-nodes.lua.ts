export const listNodesText = `-- Purpose: show which nodes are held, by whom and for how long.
-- KEYS[1]: slots, a sorted set: node by the ceiling of its last window in ms
-- KEYS[2]: grants, a hash: node to "token claim floor run holder"
-- KEYS[3]: meta, a hash: what the fleet shares, and how much Redis should remember
-- Returns: {now, safe after, layout, allocatorId} and then for each live node {node, ceiling, holder}; what is not known
--   is 0 or empty
-- Why atomic: one moment for the clock, the windows and their holders.
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local meta = redis.call('HMGET', KEYS[3], 'safeAfter', 'layout', 'allocatorId')
local answer = { now, tonumber(meta[1] or '0'), meta[2] or '', meta[3] or '' }
local live = redis.call('ZRANGEBYSCORE', KEYS[1], '(' .. string.format('%.0f', now), '+inf', 'WITHSCORES')
for index = 1, #live, 2 do
  local grant = redis.call('HGET', KEYS[2], live[index])
  local holder = grant and string.match(grant, '^%S+ %S+ %d+ %S+ (.*)$')
  answer[#answer + 1] = tonumber(live[index])
  answer[#answer + 1] = tonumber(live[index + 1])
  answer[#answer + 1] = holder or ''
end
return answer
`;
