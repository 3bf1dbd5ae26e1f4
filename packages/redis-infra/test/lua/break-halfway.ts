export const breakHalfwayText = `-- Purpose: write, then fail, like a script with a bug.
-- KEYS[1]: a string
-- ARGV[1]: its value
-- Returns: nothing; it fails
-- Why atomic: it is not. Tests show that Redis does not roll back.
redis.call('SET', KEYS[1], ARGV[1])
return redis.call('LPUSH', KEYS[1], ARGV[1])
`;
