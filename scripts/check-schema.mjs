import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

/*
 * Fails if the gateway's schema would break a client of the released one: apps/gateway/schema.released.graphql. A release
 * copies schema.graphql over it; so does a change that breaks clients on purpose, in its own commit and with a changeset.
 */
const gateway = new URL('../apps/gateway/', import.meta.url);
const { buildSchema, findBreakingChanges } = createRequire(new URL('package.json', gateway))('graphql');
const [released, current] = ['schema.released.graphql', 'schema.graphql'].map((name) =>
  buildSchema(readFileSync(new URL(name, gateway), 'utf8')),
);
const changes = findBreakingChanges(released, current);
for (const { description } of changes) console.error(description);
if (changes.length > 0) {
  console.error(
    'These changes break clients of apps/gateway/schema.released.graphql. Undo them, or deprecate first.',
  );
  process.exitCode = 1;
}
