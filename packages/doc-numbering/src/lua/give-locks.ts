export const giveLocksText = String.raw`-- Purpose: give locks back, each to the process that has waited longest for it, with where the counter stands.
-- KEYS[1..n]: for each counter two, the lock and its state
-- ARGV[1]: life of a lock in ms
-- ARGV[2]: life of a state in ms
-- ARGV[3]: prefix of inbox channels
-- ARGV[4]: "1" when this node knows all subscribers (no cluster)
-- ARGV[5..n]: for each counter three, the token it is held under, version and last number of the counter ("" when unknown)
-- Returns: how many locks were still held under their token
-- Why atomic: between the look at the token and the hand-over the lock could end and be somebody else's.
local ttl_ms, state_ttl_ms, channel_prefix, knows_subscribers = ARGV[1], ARGV[2], ARGV[3], ARGV[4] == '1'
local given = 0
local listens = {}
local messages = {}

-- Nobody listens for a process that has died.
local function is_alive(inbox)
  if listens[inbox] == nil then
    local channel = channel_prefix .. inbox
    listens[inbox] = not knows_subscribers or redis.call('PUBSUB', 'NUMSUB', channel)[2] > 0
  end
  return listens[inbox]
end

for at = 1, #KEYS, 2 do
  local lock, state = KEYS[at], KEYS[at + 1]
  local first = 5 + (at - 1) / 2 * 3
  local token, version, last = ARGV[first], ARGV[first + 1], ARGV[first + 2]
  local hint = redis.call('HMGET', state, 'version', 'last', 'waiting')
  local changes = {}
  local is_new = not hint[2]
  -- The hint is a high-water mark: a lower number never replaces a higher one.
  if version ~= '' and tonumber(hint[2] or '-1') < tonumber(last) then
    hint[1], hint[2] = version, last
    changes = { 'version', version, 'last', last }
  end
  local next_token
  if redis.call('GET', lock) == token then
    given = given + 1
    local rest = hint[3] or ''
    local next_inbox
    while rest ~= '' and not next_token do
      local candidate, others = string.match(rest, '^(%S+)%s*(.*)$')
      rest = others
      local inbox = string.match(candidate, '^[^.]+')
      if is_alive(inbox) then next_token, next_inbox = candidate, inbox end
    end
    if next_token then
      redis.call('SET', lock, next_token, 'PX', ttl_ms)
      local message = messages[next_inbox] or { 'yours' }
      messages[next_inbox] = message
      local facts = { lock, next_token, state, hint[1] or '', hint[2] or '', rest == '' and '0' or '1' }
      for _, fact in ipairs(facts) do message[#message + 1] = fact end
    else
      redis.call('DEL', lock)
    end
    if hint[3] and hint[3] ~= rest then
      changes[#changes + 1] = 'waiting'
      changes[#changes + 1] = rest
    end
  end
  if #changes > 0 then redis.call('HSET', state, unpack(changes)) end
  -- The life of a state is renewed when nobody waits for its counter.
  if #changes > 0 and (is_new or not next_token) then redis.call('PEXPIRE', state, state_ttl_ms) end
end
-- One message a process, however many locks it gets.
for inbox, message in pairs(messages) do
  redis.call('PUBLISH', channel_prefix .. inbox, table.concat(message, '\n'))
end
return given
`;
