import { jestPreset } from '@solegate/testkit/jest-preset';

export default jestPreset({
  // The fault tests wait for windows to end more than they compute.
  maxWorkers: 3,
  coverageThreshold: { global: { branches: 90, lines: 90 } },
});
