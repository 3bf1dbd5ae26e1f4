import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';

/**
 * The one Jest configuration of the workspace: native ES modules, TypeScript through swc (decorators included), workspace
 * packages resolved to their sources so that a test never runs against a stale build. A run that was not given servers
 * starts its own PostgreSQL and Redis when a test first asks for one, and ends them.
 *
 * @param {import('jest').Config} [overrides] what a package adds, most often `coverageThreshold`
 * @returns {import('jest').Config}
 */
export function jestPreset(overrides = {}) {
  return {
    testMatch: ['<rootDir>/test/**/*.test.ts'],
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
    testTimeout: 30_000,
    // Jest would leave one processor free, of two a half; tests wait for servers more than they compute.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    // Node 20 now and then never ends its own clean-up at exit, at full speed, after all results were written.
    forceExit: true,
    coverageProvider: 'v8',
    collectCoverageFrom: ['src/**/*.ts'],
    ...overrides,
  };
}
