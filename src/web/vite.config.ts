import { fileURLToPath } from 'node:url';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig, type ProxyOptions } from 'vite';
import { describeChunks } from './describe-chunks.ts';
import { DOC_PATHS, SITE_PAGES } from './site/site-paths.ts';

const server = 'http://127.0.0.1:3000';

/** Prerendered pages, with their style sheets and fonts, come from the last build of the server; `/` only for visitors. */
const prerendered: ProxyOptions = {
  target: server,
  bypass: ({ url, headers }) =>
    url === '/' && headers.cookie?.includes('signed_in=1') ? '/index.html' : undefined,
};

const root = fileURLToPath(new URL('.', import.meta.url));

export default defineConfig(({ isSsrBuild }) => ({
  root,
  plugins: [react(), tailwindcss(), ...(isSsrBuild ? [] : [describeChunks(root)])],
  build: {
    outDir: '../../dist/web',
    emptyOutDir: true,
    // Assets stay files: the CSP restricts `data:` URLs, and files are cacheable.
    assetsInlineLimit: 0,
    rolldownOptions: {
      input: ['index.html', 'site/document.html'],
      output: {
        codeSplitting: {
          // Shared, rarely changing dependencies in one chunk.
          groups: [
            {
              name: 'frame',
              test: /node_modules\/(react|react-dom|scheduler|react-router|@tanstack\/(query-core|react-query)|clsx)\//,
            },
            // All that every page needs: as 30 small files it is 8 KB larger. The entry stays apart, since it awaits the
            // first page, which imports this chunk.
            { name: 'shell', tags: ['$initial'], test: /^(?!.*\/(?:main|render)\.tsx$).*\.(?:m?js|tsx?)$/ },
          ],
        },
      },
    },
  },
  server: {
    host: '127.0.0.1',
    // A pattern, since '/api' would also match the source file /api.ts.
    proxy: {
      '^/api/': server,
      '/ws': { target: server, ws: true },
      '^/assets/': server,
      [`^(?:${Object.keys({ ...SITE_PAGES, ...DOC_PATHS }).join('|')})(?:\\?|$)`]: prerendered,
    },
  },
}));
