import { fileURLToPath } from 'node:url';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

const server = 'http://127.0.0.1:3000';

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  plugins: [react(), tailwindcss()],
  build: {
    outDir: '../../dist/web',
    emptyOutDir: true,
    // As files, since the policy of the server allows few data: addresses and caches keep files.
    assetsInlineLimit: 0,
    rolldownOptions: {
      input: ['index.html', 'site/document.html'],
      output: {
        codeSplitting: {
          // What every page needs and seldom changes, in one script instead of a dozen.
          groups: [
            {
              name: 'frame',
              test: /node_modules\/(react|react-dom|scheduler|react-router|@tanstack\/(query-core|react-query)|i18next|react-i18next|clsx)\//,
            },
          ],
        },
      },
    },
  },
  server: {
    host: '127.0.0.1',
    // As a pattern: '/api' alone would take the source file /api.ts, too.
    proxy: { '^/api/': server, '/ws': { target: server, ws: true } },
  },
});
