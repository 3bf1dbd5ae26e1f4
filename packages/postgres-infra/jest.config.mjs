import { jestPreset } from '@solegate/testkit/jest-preset';

export default jestPreset({ coverageThreshold: { global: { branches: 90, lines: 90 } } });
