export const appendText = `-- Purpose: record a call, so that tests can count how often the script ran.
-- KEYS[1]: the list of calls
-- ARGV[1]: the value to record
-- Returns: {number of calls, last value}
-- Why atomic: the number must belong to this call.
return {redis.call('RPUSH', KEYS[1], ARGV[1]), redis.call('LINDEX', KEYS[1], -1)}
`;
