import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { I18nextProvider } from 'react-i18next';
import { RouterProvider } from 'react-router/dom';
import { syncSignedInCookie, watchSignOut } from './access-token.ts';
import { setErrorTranslator } from './api.ts';
import { createErrorTranslator } from './error-translator.ts';
import { createQueryClient } from './query-client.ts';
import { createRouter } from './router.tsx';
import './style.css';
import { createAppI18n } from './i18n.ts';

watchSignOut();
syncSignedInCookie();
const texts = await createAppI18n();
setErrorTranslator(createErrorTranslator(texts));

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <I18nextProvider i18n={texts}>
      <QueryClientProvider client={createQueryClient()}>
        <RouterProvider router={createRouter()} />
      </QueryClientProvider>
    </I18nextProvider>
  </StrictMode>,
);
