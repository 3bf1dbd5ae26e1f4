import { jestPreset } from '@solegate/testkit/jest-preset';

// The fault tests wait for windows to end more than they compute, and start processes, which a busy machine takes long for.
export default jestPreset({ maxWorkers: 3, testTimeout: 60_000 });
