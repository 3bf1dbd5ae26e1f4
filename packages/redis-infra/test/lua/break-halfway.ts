export const breakHalfwayText = `-- Purpose: write, then fail, as a script with a mistake in it does.
-- KEYS[1]: a string
-- ARGV[1]: its value
-- Returns: nothing; it fails
-- Why atomic: it is not, and that is what is shown: Redis does not roll back.
redis.call('SET', KEYS[1], ARGV[1])
return redis.call('LPUSH', KEYS[1], ARGV[1])
`;
