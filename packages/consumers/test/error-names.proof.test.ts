import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { build } from 'esbuild';

import { createProject } from './project.js';

const PACKAGES = [
  'client',
  'doc-numbering',
  'postgres-infra',
  'redis-infra',
  'trip-reservation',
  'tsid-core',
];

/** Prints the name of an error of each exported class, by the name under which it is exported. */
const PROGRAM = `
${PACKAGES.map((name, index) => `import * as package${index} from '@solegate/${name}';`).join('\n')}
const names = {};
for (const exported of [${PACKAGES.map((_, index) => `package${index}`).join(', ')}]) {
  for (const [name, Class] of Object.entries(exported)) {
    if (!(Class?.prototype instanceof Error)) continue;
    // Whatever the constructor expects, it can be read of this.
    const facts = Object.assign([], { kind: 'BUSY', message: '', template: '' });
    const error = new Class(facts, facts, facts, facts, facts);
    if (error.code !== undefined) names[name] = error.name;
  }
}
console.log(JSON.stringify(names));`;

test('the names of errors survive a minified bundle', async () => {
  await using project = await createProject();
  const entryPoints = [await project.write('names.js', PROGRAM)];
  const outfile = join(project.folder, 'bundle.cjs');
  await build({ entryPoints, bundle: true, platform: 'node', minify: true, outfile });
  const names = Object.entries(JSON.parse(await project.node('bundle.cjs')) as Record<string, string>);
  expect(names.length).toBeGreaterThan(50);
  expect(names.filter(([exported, name]) => name !== exported)).toEqual([]);
});
