import { jestPreset } from '@solegate/testkit/jest-preset';

export default jestPreset({
  // The fault tests wait for windows to end more than they compute, and start processes, which a busy machine takes long for.
  maxWorkers: 3,
  testTimeout: 60_000,
  coverageThreshold: { global: { branches: 90, lines: 90 } },
});
