/** Versions in one era of a counter. The next begins when a person accepts that numbers of the counter were lost. */
export const ERA = 2 ** 32;

export const raiseMarksText = `-- Purpose: record the positions of counters, never one before the recorded one.
-- KEYS[1..n]: marks, a hash each
-- ARGV[1]: life of a mark in ms
-- ARGV[2..n]: for each mark two, version and last number of its counter
-- Returns: how many marks rose
-- Why atomic: of two processes, the one that drew later may write first.
local raised = 0
for at = 1, #KEYS do
  local version, last = ARGV[at * 2], ARGV[at * 2 + 1]
  local mark = redis.call('HMGET', KEYS[at], 'version', 'last')
  local eras = math.floor(tonumber(version) / ${ERA}) - math.floor(tonumber(mark[1] or '0') / ${ERA})
  if eras > 0 or (eras == 0 and tonumber(mark[2] or '-1') < tonumber(last)) then
    redis.call('HSET', KEYS[at], 'version', version, 'last', last)
    redis.call('PEXPIRE', KEYS[at], ARGV[1])
    raised = raised + 1
  end
end
return raised
`;
