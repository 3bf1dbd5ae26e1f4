import { jestPreset } from '@solegate/testkit/jest-preset';

// With two files at a time, each with its own gateways and stores, timing would depend on the load of the machine.
const preset = jestPreset({ maxWorkers: 1 });

export default {
  ...preset,
  // The bench starts child processes from compiled JavaScript, so its tests use the build, which a test run updates.
  moduleNameMapper: { '^\\.\\./src/(.*)$': '<rootDir>/dist/$1', ...preset.moduleNameMapper },
};
