import { jestPreset } from '@solegate/testkit/jest-preset';

const preset = jestPreset();

export default {
  ...preset,
  // The bench starts processes of its own, which are JavaScript: its tests run the build, which a test run brings up to date.
  moduleNameMapper: { '^\\.\\./src/(.*)$': '<rootDir>/dist/$1', ...preset.moduleNameMapper },
};
