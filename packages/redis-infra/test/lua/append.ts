export const appendText = `-- Purpose: write down a call, so that tests can count how often it ran.
-- KEYS[1]: the list of calls
-- ARGV[1]: what to write down
-- Returns: {the number of calls, the last one}
-- Why atomic: the number must be that of this very call.
return {redis.call('RPUSH', KEYS[1], ARGV[1]), redis.call('LINDEX', KEYS[1], -1)}
`;
