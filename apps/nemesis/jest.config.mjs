import { jestPreset } from '@solegate/testkit/jest-preset';

// A drill starts a fleet with its stores: two at a time would measure the machine.
export default jestPreset({ maxWorkers: 1 });
