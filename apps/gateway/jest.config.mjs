import { jestPreset } from '@solegate/testkit/jest-preset';

// Most files start processes and wait for them.
export default jestPreset({ maxWorkers: 2 });
