/**
 * Part of the scripts that end a hold. Expects `standing`, what the key held before, and `entry`, what it holds since. A
 * user without the right to publish ends the hold all the same; those who wait look again.
 */
export const notifyWaitingText = `local offer = string.match(KEYS[1], '%d+:%d+$')
for process in string.gmatch(standing, ' (%w+)') do
  redis.pcall('PUBLISH', ARGV[2] .. process, offer .. ' ' .. entry)
end`;
