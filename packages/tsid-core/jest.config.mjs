import { jestPreset } from '@solegate/testkit/jest-preset';

// The fault tests wait for windows to end more than they compute.
export default jestPreset({ maxWorkers: 3 });
