import { expect, test } from '@jest/globals';
import fc from 'fast-check';

import { parseRedisUrl, RedisUrlError } from '../src/redis-url.js';

test('reads one server', () => {
  expect(parseRedisUrl('redis://cache.internal:6380/3')).toEqual({
    topology: 'standalone',
    addresses: [{ host: 'cache.internal', port: 6380 }],
    masterName: '',
    database: 3,
    usesTls: false,
    username: undefined,
    password: undefined,
    sentinelUsername: undefined,
    sentinelPassword: undefined,
    description: 'cache.internal:6380',
  });
});

test('reads sentinels with the name of their master', () => {
  expect(parseRedisUrl('redis+sentinel://a:26380,b,[::1]:26381/orders/2')).toMatchObject({
    topology: 'sentinel',
    addresses: [
      { host: 'a', port: 26380 },
      { host: 'b', port: 26379 },
      { host: '::1', port: 26381 },
    ],
    masterName: 'orders',
    database: 2,
    description: 'master orders of sentinels a:26380, b:26379, [::1]:26381',
  });
});

test('reads credentials for the sentinels as well as for Redis', () => {
  const url = 'redis+sentinel://u:p@a/orders?sentinelUsername=watcher&sentinelPassword=%2Fhunter2';
  expect(parseRedisUrl(url)).toMatchObject({
    username: 'u',
    password: 'p',
    masterName: 'orders',
    sentinelUsername: 'watcher',
    sentinelPassword: '/hunter2',
    description: 'master orders of sentinels a:26379',
  });
});

test('reads nodes of a cluster', () => {
  expect(parseRedisUrl('rediss+cluster://a:7000,b:7001')).toMatchObject({
    topology: 'cluster',
    addresses: [
      { host: 'a', port: 7000 },
      { host: 'b', port: 7001 },
    ],
    usesTls: true,
    database: 0,
  });
});

test('reads any user and password that is percent-encoded, and keeps them out of the description', () => {
  const words = fc.string({ minLength: 1, unit: 'grapheme' });
  fc.assert(
    fc.property(words, words, (username, password) => {
      const login = `${encodeURIComponent(username)}:${encodeURIComponent(password)}`;
      const target = parseRedisUrl(`redis://${login}@h:1`);
      expect(target).toMatchObject({ username, password, description: 'h:1' });
    }),
  );
});

test('a password without a user is that of the default user', () => {
  expect(parseRedisUrl('redis://:secret@h')).toMatchObject({ username: undefined, password: 'secret' });
});

test.each([
  ['http://h:1', /must look like/],
  ['h:6379', /must look like/],
  ['redis://', /must look like/],
  ['redis://h:0', /port of 1 to 65535/],
  ['redis://h:70000', /port of 1 to 65535/],
  ['redis://a,b', /redis\+sentinel:\/\/ or redis\+cluster:\/\//],
  ['redis://h/zero', /number of a database/],
  ['redis://h/0/1', /number of a database/],
  ['redis+sentinel://h', /must name its master/],
  ['redis+cluster://h/1', /only database 0/],
  ['redis://u:%zz@h', /percent-encoding/],
  ['redis://h/0?sentinelPassword=x', /no parameters/],
  ['redis+sentinel://h/m?tls=true', /no parameters/],
])('refuses %s, with advice', (url, advice) => {
  expect(() => parseRedisUrl(url)).toThrow(advice);
});

test.each([
  'redis://user:hunter2@bad host:1',
  'redis://user:hunter2@h:99999',
  'redis://user:hunter2%zz@h',
  'redis://user:hunt/er2@h',
  'ftp://user:hunter2@h',
  'redis+cluster://user:hunter2@h/7',
])('never repeats a password: %s', (url) => {
  expect(() => parseRedisUrl(url)).toThrow(RedisUrlError);
  expect(() => parseRedisUrl(url)).not.toThrow(/hunt|er2/);
});
