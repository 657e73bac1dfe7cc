import { readFileSync } from 'node:fs';
import { defineConfig, type Plugin } from 'vite';
import { viteSingleFile } from 'vite-plugin-singlefile';

/** Packages that the page contains; their licences must be passed on with them. */
const PARTS = { 'three.js': 'three', uPlot: 'uplot' };

function licences(): Plugin {
  const texts = Object.entries(PARTS).map(([name, folder]) => {
    const text = readFileSync(new URL(`node_modules/${folder}/LICENSE`, import.meta.url), 'utf8').trim();
    return `This page contains ${name}:\n\n${text}`;
  });
  // Two hyphens end a comment in HTML.
  const comment = `<!--\n${texts.join('\n\n').replaceAll('--', '- -')}\n-->`;
  return {
    name: 'licences',
    enforce: 'post',
    transformIndexHtml: (html) => html.replace('</title>', `</title>\n    ${comment}`),
  };
}

// One file: scripts and styles in the page, nothing fetched but the stream of the run.
export default defineConfig({
  base: './',
  plugins: [viteSingleFile({ removeViteModuleLoader: true }), licences()],
  build: { target: 'es2022', assetsInlineLimit: 1 << 26, chunkSizeWarningLimit: 4096, reportCompressedSize: false },
});
