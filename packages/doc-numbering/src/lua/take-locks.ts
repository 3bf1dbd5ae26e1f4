export const takeLocksText = String.raw`-- Purpose: take every free lock of the counters of a batch, and queue for the busy ones.
-- KEYS[1..n]: for each counter two, the lock (a string, as redlock writes it) and its state (a hash)
-- ARGV[1]: token of this attempt
-- ARGV[2]: life of a lock in ms
-- ARGV[3]: "1" to queue for busy locks, else "0"
-- ARGV[4]: prefix of inbox channels
-- ARGV[5]: "1" when this node knows all subscribers (no cluster)
-- Returns: for each counter three: 1 held or 0 busy, version and last number of the hint ("" when there is none)
-- Why atomic: a lock that is given back between the look and the queueing would be handed to nobody.
local token, ttl_ms, queues = ARGV[1], ARGV[2], ARGV[3] == '1'
local channel_prefix, knows_subscribers = ARGV[4], ARGV[5] == '1'
local own_inbox = string.match(token, '^[^.]+')
local reply = {}
local listens = {}
local messages = {}

local function is_alive(inbox)
  if listens[inbox] == nil then
    local channel = channel_prefix .. inbox
    listens[inbox] = not knows_subscribers or redis.call('PUBSUB', 'NUMSUB', channel)[2] > 0
  end
  return listens[inbox]
end

for at = 1, #KEYS, 2 do
  local lock, state = KEYS[at], KEYS[at + 1]
  local taken = redis.call('SET', lock, token, 'NX', 'PX', ttl_ms)
  if not taken and queues then
    -- A holder of our kind listens to its inbox; redlock's values have no dot. Nobody listens for one that has died.
    local held_under = redis.call('GET', lock) or ''
    local holder = string.match(held_under, '^(%x+)%.%d+$')
    -- A process asks for no lock that it uses: one that it holds was taken by a call that had no answer.
    if holder and holder ~= own_inbox and is_alive(holder) then
      local message = messages[holder] or { 'wanted' }
      messages[holder] = message
      message[#message + 1] = lock
      message[#message + 1] = held_under
    elseif holder then
      taken = redis.call('SET', lock, token, 'PX', ttl_ms)
    end
  end
  local hint = redis.call('HMGET', state, 'version', 'last', 'waiting')
  if taken then
    reply[#reply + 1] = 1
    reply[#reply + 1] = hint[1] or ''
    reply[#reply + 1] = hint[2] or ''
  else
    if queues then
      -- A process has one place in the queue: its former token is given up.
      local waiting = {}
      for other in string.gmatch(hint[3] or '', '%S+') do
        if string.match(other, '^[^.]+') ~= own_inbox then waiting[#waiting + 1] = other end
      end
      waiting[#waiting + 1] = token
      redis.call('HSET', state, 'waiting', table.concat(waiting, ' '))
    end
    reply[#reply + 1] = 0
    reply[#reply + 1] = ''
    reply[#reply + 1] = ''
  end
end
-- One message a holder, however many of its locks are wanted.
for inbox, message in pairs(messages) do
  redis.call('PUBLISH', channel_prefix .. inbox, table.concat(message, '\n'))
end
return reply
`;
