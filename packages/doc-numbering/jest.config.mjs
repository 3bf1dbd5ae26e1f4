import { jestPreset } from '@solegate/testkit/jest-preset';

export default jestPreset({
  coverageThreshold: { global: { branches: 90, lines: 90 } },
  // Types alone: no test can run them, and each line of theirs would count as missed.
  collectCoverageFrom: ['src/**/*.ts', '!src/contract/{ledger-entry,numbering,requests,series}.ts'],
});
