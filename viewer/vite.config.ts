import { defineConfig } from 'vite';
import { viteSingleFile } from 'vite-plugin-singlefile';

// One file: scripts and styles in the page, nothing fetched but the stream of the run.
export default defineConfig({
  base: './',
  plugins: [viteSingleFile({ removeViteModuleLoader: true })],
  build: { target: 'es2022', assetsInlineLimit: 1 << 26, chunkSizeWarningLimit: 4096, reportCompressedSize: false },
});
