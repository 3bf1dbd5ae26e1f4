import { jestPreset } from '@solegate/testkit/jest-preset';

export default jestPreset({ globalSetup: '<rootDir>/jest.setup.mjs' });
