-- Purpose: give locks back, each to the process that has waited longest for it, with where the counter stands.
-- KEYS[1..n]: for each counter two, the lock and its state
-- ARGV[1]: life of a lock in ms
-- ARGV[2]: life of a state in ms
-- ARGV[3]: prefix of inbox channels
-- ARGV[4]: "1" when PUBLISH counts all receivers (no cluster)
-- ARGV[5..n]: for each counter three, the token it is held under, version and last number of the counter ("" when unknown)
-- Returns: how many locks were still held under their token
-- Why atomic: between the look at the token and the hand-over the lock could end and be somebody else's.
local ttl_ms, state_ttl_ms, channel_prefix, counts_receivers = ARGV[1], ARGV[2], ARGV[3], ARGV[4] == '1'
local given = 0
for at = 1, #KEYS, 2 do
  local lock, state = KEYS[at], KEYS[at + 1]
  local first = 5 + (at - 1) / 2 * 3
  local token, version, last = ARGV[first], ARGV[first + 1], ARGV[first + 2]
  -- The hint is a high-water mark: a lower number never replaces a higher one.
  if version ~= '' and tonumber(redis.call('HGET', state, 'last') or '-1') < tonumber(last) then
    redis.call('HSET', state, 'version', version, 'last', last)
    redis.call('PEXPIRE', state, state_ttl_ms)
  end
  if redis.call('GET', lock) == token then
    given = given + 1
    local hint = redis.call('HMGET', state, 'version', 'last', 'waiting')
    local rest = hint[3] or ''
    local next_token
    while rest ~= '' and not next_token do
      local candidate, others = string.match(rest, '^(%S+)%s*(.*)$')
      rest = others
      local message = table.concat({
        'yours', lock, candidate, state, hint[1] or '', hint[2] or '', others == '' and '0' or '1',
      }, '\n')
      local inbox = string.match(candidate, '^[^.]+')
      local receivers = redis.call('PUBLISH', channel_prefix .. inbox, message)
      -- Nobody listens for a process that has died: the next one gets it.
      if receivers > 0 or not counts_receivers then next_token = candidate end
    end
    if next_token then
      redis.call('SET', lock, next_token, 'PX', ttl_ms)
    else
      redis.call('DEL', lock)
    end
    if hint[3] then redis.call('HSET', state, 'waiting', rest) end
  end
end
return given
