import { startLocalServices, startPostgres, startRedis } from '../src/index.js';

/*
 * A program that starts both services and then waits, so that a test can end it in various ways. Arguments: the
 * directory, and what it does: `wait` (until it is killed), `deaf` (ignores SIGINT), `forget` (ends without stopping
 * anything), `throw` (ends with an uncaught error), `temporary` (keeps its data in temporary directories).
 */
const [directory = '', behaviour = 'wait'] = process.argv.slice(2);

if (behaviour === 'deaf') process.on('SIGINT', () => {});
const { postgres, redis } =
  behaviour === 'temporary'
    ? { postgres: await startPostgres(), redis: await startRedis() }
    : await startLocalServices({ directory });
process.stdout.write(
  `${JSON.stringify({
    postgresUrl: postgres?.url,
    postgresPid: postgres?.pid,
    redisUrl: redis?.url,
    redisPid: redis?.pid,
    dataDirs: [postgres?.dataDir, redis?.dataDir],
  })}\n`,
);
if (behaviour === 'throw') throw new Error('An error that nobody catches.');
if (behaviour !== 'forget') setInterval(() => {}, 60_000);
