import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';

const TESTS = '<rootDir>/test/**/*.test.ts';
const PROOFS = '**/*.proof.test.ts';

/** The files of a run, by SOLEGATE_TESTS; all of them if it is not set, as when Jest is started in a package. */
const SELECTIONS = {
  quick: { testMatch: [TESTS, `!${PROOFS}`] },
  proofs: { testMatch: [`<rootDir>/test/${PROOFS}`], passWithNoTests: true },
};

/**
 * The Jest configuration shared by the workspace: native ES modules, TypeScript through swc (decorators included),
 * workspace packages resolved to their sources so that a test never runs against a stale build. A run without
 * configured servers starts its own PostgreSQL and Redis when a test first needs one, and stops them.
 *
 * @param {import('jest').Config} [overrides] a package's own settings, most often `coverageThreshold`
 * @returns {import('jest').Config}
 */
export function jestPreset(overrides = {}) {
  return {
    ...(SELECTIONS[process.env.SOLEGATE_TESTS] ?? { testMatch: [TESTS] }),
    extensionsToTreatAsEsm: ['.ts'],
    moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
    testEnvironment: fileURLToPath(new URL('./jest.environment.mjs', import.meta.url)),
    testEnvironmentOptions: { customExportConditions: ['@solegate/source', 'node', 'node-addons'] },
    transform: {
      '^.+\\.ts$': [
        '@swc/jest',
        {
          jsc: {
            parser: { syntax: 'typescript', decorators: true },
            transform: { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: false },
            target: 'es2023',
          },
          module: { type: 'es6' },
        },
      ],
    },
    globalSetup: fileURLToPath(new URL('./jest.setup.mjs', import.meta.url)),
    globalTeardown: fileURLToPath(new URL('./jest.teardown.mjs', import.meta.url)),
    // Ends a test that hangs; on a busy machine, other tests take ten times as long as on an idle one, npm even longer.
    testTimeout: 900_000,
    // Jest's default leaves one processor idle, or half of two; tests wait for servers more than they compute.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    // Node 20 occasionally spins forever in its own cleanup at exit, after all results were written.
    forceExit: true,
    coverageProvider: 'v8',
    collectCoverageFrom: ['src/**/*.ts'],
    ...overrides,
  };
}
