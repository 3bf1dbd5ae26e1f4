import { readFileSync, writeFileSync } from 'node:fs';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { defineConfig, type Plugin } from 'vite';

/** What a first visit to `/` may load, compressed with gzip: the page, all that it needs, and the view that it opens with. */
const FIRST_LOAD_BYTES_MAX = 100_000;
const FIRST_VIEW = 'overview-view';
/** Below this a compressed copy saves no packet. */
const COMPRESSED_FROM_BYTES = 1_000;
/** The best of brotli would save 8 % more, and would take two seconds for the explorer at each build. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } };

export default defineConfig({
  build: {
    outDir: 'dist',
    assetsDir: 'assets',
    target: 'es2023',
    // light-dark() and nesting stay as they are written.
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    modulePreload: { polyfill: false },
    // The policy of the page has no place for data in URLs.
    assetsInlineLimit: 0,
    reportCompressedSize: false,
  },
  plugins: [compressedCopies(), firstLoad()],
});

/** A `.br` and a `.gz` beside each file, as it was written, of which the gateway sends what the browser takes. */
function compressedCopies(): Plugin {
  return {
    name: 'compressed-copies',
    writeBundle({ dir }, bundle) {
      for (const fileName of Object.keys(bundle)) {
        const file = `${dir}/${fileName}`;
        const source = readFileSync(file);
        if (!fileName.startsWith('assets/') || source.length < COMPRESSED_FROM_BYTES) continue;
        writeFileSync(`${file}.br`, brotliCompressSync(source, BROTLI));
        writeFileSync(`${file}.gz`, gzipSync(source));
      }
    },
  };
}

/** Measures the first load, prints it, and fails the build when it has grown too large. */
function firstLoad(): Plugin {
  return {
    name: 'first-load',
    writeBundle({ dir }, bundle) {
      const needed = new Set<string>(['index.html']);
      const take = (fileName: string): void => {
        const part = bundle[fileName];
        if (part === undefined || needed.has(fileName)) return;
        needed.add(fileName);
        if (part.type !== 'chunk') return;
        for (const other of part.imports) take(other);
        for (const style of part.viteMetadata?.importedCss ?? []) take(style);
      };
      for (const part of Object.values(bundle)) {
        if (part.type === 'chunk' && (part.isEntry || part.name === FIRST_VIEW)) take(part.fileName);
      }
      if (![...needed].some((name) => name.includes(FIRST_VIEW))) this.error(`there is no ${FIRST_VIEW}`);
      const bytes = [...needed].reduce(
        (sum, name) => sum + gzipSync(readFileSync(`${dir}/${name}`)).length,
        0,
      );
      this.info(`first load: ${(bytes / 1_000).toFixed(1)} kB of ${FIRST_LOAD_BYTES_MAX / 1_000} kB`);
      if (bytes > FIRST_LOAD_BYTES_MAX) {
        this.error(`the first load has ${bytes} bytes; ${FIRST_LOAD_BYTES_MAX} are allowed`);
      }
    },
  };
}
