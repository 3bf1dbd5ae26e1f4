import { jestPreset } from '@solegate/testkit/jest-preset';

// One file at a time: each starts gateways and stores, and two would slow each other down past their time limits.
const preset = jestPreset({ maxWorkers: 1 });

export default {
  ...preset,
  // The bench forks compiled modules, so its tests import the build; turbo builds before it tests.
  moduleNameMapper: { '^\\.\\./src/(.*)$': '<rootDir>/dist/$1', ...preset.moduleNameMapper },
};
