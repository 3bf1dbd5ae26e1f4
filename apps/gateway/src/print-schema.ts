import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { lexicographicSortSchema, printSchema } from 'graphql';
import { buildGatewaySchema } from './assembly/schema.js';

/*
 * Prints the schema, sorted by name, so that the text is the same on every machine.
 *
 *   node dist/print-schema.js --write   writes schema.graphql
 *   node dist/print-schema.js --check   fails if schema.graphql is out of date
 */
const file = fileURLToPath(new URL('../schema.graphql', import.meta.url));

/** The text of `schema.graphql`. */
export function schemaText(): string {
  return `${printSchema(lexicographicSortSchema(buildGatewaySchema()))}\n`;
}

const [, script, verb] = process.argv;
if (script === fileURLToPath(import.meta.url)) {
  if (verb === '--write') {
    await writeFile(file, schemaText());
  } else if ((await readFile(file, 'utf8').catch(() => '')) !== schemaText()) {
    process.stderr.write(
      'schema.graphql is out of date. Review the difference, then run: pnpm --filter @solegate/gateway schema\n',
    );
    process.exitCode = 1;
  }
}
