import { describe, expect, test } from '@jest/globals';
import { claimNodeText } from '../src/node-lease/redis/claim-node.lua.js';
import { listNodesText } from '../src/node-lease/redis/list-nodes.lua.js';
import { releaseNodeText } from '../src/node-lease/redis/release-node.lua.js';
import { renewNodeText } from '../src/node-lease/redis/renew-node.lua.js';

const texts = { claimNodeText, renewNodeText, releaseNodeText, listNodesText };

/** The distinct `KEYS[n]` and `ARGV[n]` in these lines. */
function named(lines: readonly string[]): string[] {
  const found = lines.flatMap((line) => line.match(/(?:KEYS|ARGV)\[\d+\]/g) ?? []);
  return [...new Set(found)].sort();
}

describe.each(Object.entries(texts))('%s', (_name, text) => {
  const lines = text.split('\n');
  const header = lines.slice(
    0,
    lines.findIndex((line) => !line.startsWith('--')),
  );
  const code = lines.slice(header.length).map((line) => line.replace(/--.*$/, ''));

  test('says its purpose, what it returns and why it is atomic', () => {
    for (const field of ['-- Purpose: ', '-- Returns: ', '-- Why atomic: ']) {
      expect(header.filter((line) => line.startsWith(field))).toHaveLength(1);
    }
  });

  test('names the keys and arguments that it uses, and no others', () => {
    const said = header.filter((line) => /^-- (?:KEYS|ARGV)\[\d+\]: /.test(line));
    expect(named(said)).toEqual(named(code));
  });
});
