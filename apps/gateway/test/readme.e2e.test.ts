import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { FIRST_QUERY } from '../src/first-query.js';
import { gatewayOfFile } from './gateway-fixture.js';

const README = readFileSync(new URL('../../../README.md', import.meta.url), 'utf8');

const gateway = gatewayOfFile();

/** The fenced block that follows a marker such as `<!-- first-query -->`. */
function blockAfter(marker: string): string {
  const block = new RegExp(`<!-- ${marker} -->\n\`\`\`\\w+\n([\\s\\S]*?)\n\`\`\``).exec(README)?.[1];
  if (block === undefined) throw new Error(`The README has no block ${marker}`);
  return block;
}

test('the README and the banner show the same first query, of at most fifteen lines', () => {
  expect(blockAfter('first-query')).toBe(FIRST_QUERY);
  expect(FIRST_QUERY.split('\n').length).toBeLessThanOrEqual(15);
});

test('the pasted mutation works, and the second command reports to another driver that the trip is taken', async () => {
  const first = await gateway.ask(blockAfter('first-query'));
  expect(first.errors).toEqual([]);
  expect(first.data.acceptTrip.__typename).toBe('TripAccepted');

  const command = blockAfter('second-query');
  const body = JSON.parse(/-d '(.*)'$/.exec(command)?.[1] ?? '{}') as { query: string };
  const user = /x-demo-user: ([\w-]+)/.exec(command)?.[1];
  const second = await gateway.ask(body.query, user === undefined ? {} : { as: user });
  expect(second.errors).toEqual([]);
  expect(second.data.acceptTrip.__typename).toBe('TripTaken');
});
