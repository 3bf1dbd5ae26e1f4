import { access, chmod, chown, mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from '@jest/globals';
import { programDirectory } from '../src/programs/program-directory.js';
import { openDataDirectory, temporaryPlace } from '../src/system/data-directory.js';
import { publishDirectory, reachablePlace, unfinishedPlace } from '../src/system/reachable-place.js';
import { accountCan, requireNamedUser, serverAccount } from '../src/system/server-account.js';
import { temporaryDirectory } from './temporary-directory.js';

test('a directory that was asked for is created, is private to the account and is never discarded', async () => {
  const wanted = join(await temporaryDirectory(), 'deep', 'data');
  const data = await openDataDirectory(wanted);
  await data.discard();
  const { mode, uid } = await stat(wanted);
  expect(data.path).toBe(wanted);
  expect(mode & 0o777).toBe(0o700);
  expect(uid).toBe(data.account.switchTo?.uid ?? process.getuid?.());
});

test('discarding a temporary directory removes it', async () => {
  const data = await openDataDirectory();
  expect(await accountCan(data.account, 'cd "$1" && : >file', data.path)).toBe(true);
  await data.discard();
  await expect(access(data.path)).rejects.toThrow('ENOENT');
});

describe('temporary data belong', () => {
  const { TMPDIR } = process.env;
  afterEach(() => {
    if (TMPDIR === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = TMPDIR;
  });

  test('in memory if so much is free, else on disk', async () => {
    delete process.env.TMPDIR;
    const memory = await temporaryDirectory();
    expect(await temporaryPlace(memory, 1)).toBe(memory);
    expect(await temporaryPlace(memory, Number.MAX_SAFE_INTEGER)).toBe(tmpdir());
    expect(await temporaryPlace(join(memory, 'missing'), 1)).toBe(tmpdir());
  });

  test('in TMPDIR if it is set', async () => {
    process.env.TMPDIR = await temporaryDirectory();
    expect(await temporaryPlace('/', 1)).toBe(process.env.TMPDIR);
  });
});

test('of many processes that publish the same directory, one wins with all its files, and the others leave nothing', async () => {
  const directory = await temporaryDirectory();
  const target = join(directory, 'target');
  const contenders = Array.from({ length: 20 }, async (_, index) => {
    const made = unfinishedPlace(target);
    await mkdir(made);
    for (const part of ['a', 'b']) await writeFile(join(made, part), String(index));
    await publishDirectory(made, target);
  });
  await Promise.all(contenders);
  expect(await readFile(join(target, 'a'), 'utf8')).toBe(await readFile(join(target, 'b'), 'utf8'));
  expect(await accountCan({}, 'test "$(ls "$1")" = target', directory)).toBe(true);
});

test('a user without a name is advised to use a PostgreSQL that runs elsewhere', () => {
  const nameless = () => {
    throw new Error('uv_os_get_passwd returned ENOENT');
  };
  expect(() => requireNamedUser(nameless)).toThrow(/has no entry in \/etc\/passwd.*set DATABASE_URL/);
  expect(() => requireNamedUser()).not.toThrow();
});

/**
 * Only root can switch to another account; everybody else runs servers under their own account, which the tests above
 * cover.
 */
const asRoot = process.getuid?.() === 0;

describe(asRoot ? 'as root' : 'as a plain user', () => {
  if (!asRoot) {
    test('servers run under our own account', async () => {
      expect(await serverAccount()).toEqual({});
    });
    return;
  }

  test('data in a directory that `nobody` cannot reach moves to one that it can, the same each time', async () => {
    const closed = join(await temporaryDirectory(), 'closed');
    await mkdir(join(closed, 'bin'), { recursive: true });
    await writeFile(join(closed, 'bin', 'tool'), '#!/bin/sh\n', { mode: 0o700 });
    await chmod(closed, 0o700);
    const account = await serverAccount();

    const data = await openDataDirectory(join(closed, 'data'));
    expect(data.path).toBe(reachablePlace('data', join(closed, 'data')));
    expect((await openDataDirectory(join(closed, 'data'))).path).toBe(data.path);
    expect(await accountCan(account, 'cd "$1" && : >file', data.path)).toBe(true);

    const programs = await Promise.all(
      [1, 2, 3].map(() => programDirectory(closed, '"$1/bin/tool"', account)),
    );
    expect(new Set(programs)).toEqual(new Set([reachablePlace('programs', closed)]));
    expect(await accountCan(account, '"$1/bin/tool"', programs[0] ?? '')).toBe(true);

    for (const made of [data.path, ...programs]) await rm(made, { recursive: true, force: true });
  });

  test("existing data is served under its owner's account", async () => {
    const wanted = join(await temporaryDirectory(), 'data');
    await mkdir(wanted);
    await writeFile(join(wanted, 'PG_VERSION'), '18');
    await chown(wanted, 4_321, 4_322);
    expect((await openDataDirectory(wanted)).account).toEqual({ switchTo: { uid: 4_321, gid: 4_322 } });
  });
});
