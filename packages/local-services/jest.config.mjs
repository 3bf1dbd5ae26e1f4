import { jestPreset } from '../testkit/jest.preset.mjs';

export default jestPreset();
