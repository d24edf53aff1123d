import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { I18nextProvider } from 'react-i18next';
import { RouterProvider } from 'react-router/dom';
import { followSignOut, showSignedIn } from './access-token.ts';
import { setErrorTranslator } from './api.ts';
import { createQueryClient } from './query.ts';
import { createRouter } from './router.tsx';
import './style.css';
import { createTexts } from './i18n.ts';
import { ToastProvider } from './ui/toast.tsx';

followSignOut();
showSignedIn();
const texts = await createTexts();
setErrorTranslator((key, params) =>
  texts.exists(key, { ns: 'errors' }) ? texts.t(key, { ...params, ns: 'errors' }) : null,
);

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <I18nextProvider i18n={texts}>
      <QueryClientProvider client={createQueryClient()}>
        <ToastProvider>
          <RouterProvider router={createRouter()} />
        </ToastProvider>
      </QueryClientProvider>
    </I18nextProvider>
  </StrictMode>,
);
