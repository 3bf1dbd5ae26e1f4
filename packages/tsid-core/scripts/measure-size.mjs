// What a browser downloads for the door ".": the bundle of everything it exports, minified and gzipped.
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';

const BYTES_MAX = 7_000;
const { outputFiles, metafile } = await build({
  entryPoints: [fileURLToPath(new URL('../src/index.ts', import.meta.url))],
  bundle: true,
  minify: true,
  format: 'esm',
  // Refuses node: imports: a browser has none.
  platform: 'browser',
  target: 'es2022',
  write: false,
  metafile: true,
});
const [bundle] = outputFiles;
const byteCount = gzipSync(bundle.contents, { level: 9 }).length;
const foreign = Object.keys(metafile.inputs).filter((path) => path.includes('node_modules'));
const figure = `@solegate/tsid-core "." is ${byteCount} bytes minified and gzipped (at most ${BYTES_MAX})`;
if (foreign.length > 0) throw new Error(`"." must have no dependencies, but bundles ${foreign.join(', ')}`);
if (byteCount > BYTES_MAX) throw new Error(figure);
console.log(figure);
