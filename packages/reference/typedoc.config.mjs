import { readFileSync } from 'node:fs';

const PACKAGES = [
  'tsid-core',
  'doc-numbering',
  'trip-reservation',
  'client',
  'redis-infra',
  'postgres-infra',
];

/** What codegen wrote: it repeats the schema of the gateway, whose every field has a description there. */
const GENERATED = './src/generated/documents.ts';

/** Every other door of every package, as its manifest has them. */
const entryPoints = PACKAGES.flatMap((name) => {
  const { exports } = JSON.parse(readFileSync(new URL(`../${name}/package.json`, import.meta.url), 'utf8'));
  const sources = Object.values(exports).map((door) => door['@solegate/source']);
  return sources.filter((source) => source !== GENERATED).map((source) => `../${name}/${source.slice(2)}`);
});

export default {
  name: 'Solegate',
  entryPoints,
  tsconfig: 'tsconfig.json',
  out: 'html',
  readme: '../../README.md',
  basePath: '..',
  highlightLanguages: ['bash', 'graphql', 'html', 'javascript', 'json', 'sql', 'typescript'],
  excludeInternal: true,
  excludePrivate: true,
  excludeExternals: true,
  validation: { notExported: true, invalidLink: true, notDocumented: true, rewrittenLink: true },
  // Not its properties: most say by their name, type and unit what they are, and those that do not are described.
  requiredToBeDocumented: [
    'Function',
    'Class',
    'Interface',
    'TypeAlias',
    'Variable',
    'Enum',
    'Method',
    'Accessor',
  ],
  packagesRequiringDocumentation: PACKAGES.map((name) => `@solegate/${name}`),
  treatValidationWarningsAsErrors: true,
};
