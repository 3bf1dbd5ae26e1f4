import { describe, expect, test } from '@jest/globals';
import { readCellList } from '../src/cell-list.js';
import { ConfigurationError, readConfig, readDatabaseUrls } from '../src/config.js';

const north = { name: 'north', url: 'postgres://u:hunter2@north.test/solegate', nodes: [0, 511] };
const south = { name: 'south', url: 'postgres://u:hunter2@south.test/solegate', nodes: [512, 1023] };
const list = { cells: [north, south], projects: { HARBOUR: 'south' }, regions: { cnx: 'south' } };

function faultsOf(changed: object): string {
  const read = readCellList(JSON.stringify({ ...list, ...changed }));
  return 'faults' in read ? read.faults.join('\n') : '';
}

describe('DATABASE_URL as a list', () => {
  test('is read completely, and its first cell provides databaseUrl', () => {
    const DATABASE_URL = JSON.stringify(list);
    expect(readConfig({ DATABASE_URL })).toMatchObject({
      databaseUrl: north.url,
      cells: { cells: [north, south] },
    });
    const { projects, regions } = readConfig({ DATABASE_URL }).cells ?? {};
    expect([projects?.get('HARBOUR'), regions?.get('cnx')]).toEqual(['south', 'south']);
    expect([projects?.get('constructor'), regions?.get('toString')]).toEqual([undefined, undefined]);
    expect(readDatabaseUrls({ DATABASE_URL })).toEqual([north.url, south.url]);
  });

  test('is absent for a single URL', () => {
    expect(readConfig({ DATABASE_URL: north.url })).toMatchObject({
      databaseUrl: north.url,
      cells: undefined,
    });
  });

  test.each([
    ['shared nodes', { cells: [north, { ...south, nodes: [511, 1023] }] }, /north and south share nodes/],
    ['no nodes', { cells: [{ ...north, nodes: [9, 8] }, south] }, /north has no nodes/],
    ['nodes beyond 1,023', { cells: [{ ...north, nodes: [0, 1024] }] }, /cells\.0\.nodes\.1/],
    ['a duplicate name', { cells: [north, { ...south, name: 'north' }] }, /must be unique/],
    ['a name with a space', { cells: [{ ...north, name: 'the north' }] }, /cells\.0\.name must be a to z/],
    [
      'a URL of another database system',
      { cells: [{ ...north, url: 'mysql://x' }] },
      /cells\.0\.url must begin with/,
    ],
    ['no cells', { cells: [] }, /cells/],
    ['a project in no cell', { projects: { HARBOUR: 'west' } }, /projects\.HARBOUR refers to cell west/],
    ['a region in no cell', { regions: { cnx: 'west' } }, /regions\.cnx refers to cell west/],
    [
      'a region that hides a cell',
      { regions: { north: 'south' } },
      /regions\.north has the name of another cell/,
    ],
    ['an unknown property', { spaces: {} }, /spaces/],
  ])('%s: the fault names the property, without a password', (_what, changed, says) => {
    expect(faultsOf(changed)).toMatch(says);
    expect(faultsOf(changed)).not.toContain('hunter2');
  });

  test('is refused if it is not JSON, or with a random node', () => {
    expect(() => readConfig({ DATABASE_URL: '{ north' })).toThrow(/DATABASE_URL: must be valid JSON/);
    expect(() => readDatabaseUrls({ DATABASE_URL: '{ north' })).toThrow(ConfigurationError);
    const environment = { DATABASE_URL: JSON.stringify(list), DEVELOPMENT_NODE: 'on' };
    expect(() => readConfig(environment)).toThrow(/DEVELOPMENT_NODE: the node of an ID identifies its cell/);
  });
});
