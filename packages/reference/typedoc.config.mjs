import { readFileSync } from 'node:fs';

const PACKAGES = [
  'tsid-core',
  'doc-numbering',
  'trip-reservation',
  'client',
  'redis-infra',
  'postgres-infra',
];

/** Generated: repeats the gateway's schema, which describes every field. */
const GENERATED = './src/generated/documents.ts';

/** All other entry points of the packages, from their manifests. */
const entryPoints = PACKAGES.flatMap((name) => {
  const { exports } = JSON.parse(readFileSync(new URL(`../${name}/package.json`, import.meta.url), 'utf8'));
  const sources = Object.values(exports).flatMap((door) => door['@solegate/source'] ?? []);
  return sources.filter((source) => source !== GENERATED).map((source) => `../${name}/${source.slice(2)}`);
});

export default {
  name: 'Solegate',
  entryPoints,
  tsconfig: 'tsconfig.json',
  // Each package checks its own types.
  skipErrorChecking: true,
  out: 'html',
  readme: '../../README.md',
  basePath: '..',
  highlightLanguages: ['bash', 'graphql', 'html', 'javascript', 'json', 'sql', 'typescript'],
  excludeInternal: true,
  excludePrivate: true,
  excludeExternals: true,
  validation: { notExported: true, invalidLink: true, notDocumented: true, rewrittenLink: true },
  // Not properties: most are clear from their name, type and unit; the others have descriptions.
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
