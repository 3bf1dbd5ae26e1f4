import { type UnpackedProgram, unpackDebianProgram } from '@solegate/local-services';

/** A program of the distribution's package `prometheus`, unpacked below `.cache` like Redis. */
export function findPrometheus(command: 'prometheus' | 'promtool'): Promise<UnpackedProgram> {
  return unpackDebianProgram(
    { packageName: 'prometheus', command: `usr/bin/${command}`, usualPackages: ['prometheus'] },
    {},
  );
}
