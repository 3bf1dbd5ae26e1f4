import { jestPreset } from '@solegate/testkit/jest-preset';

// Two files at a time, each with gateways and stores of its own, would measure the machine.
const preset = jestPreset({ maxWorkers: 1 });

export default {
  ...preset,
  // The bench starts processes of its own, which are JavaScript: its tests run the build, which a test run brings up to date.
  moduleNameMapper: { '^\\.\\./src/(.*)$': '<rootDir>/dist/$1', ...preset.moduleNameMapper },
};
