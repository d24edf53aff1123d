import { useRouteError } from 'react-router';
import { useTranslation } from '../i18n.ts';
import { ScriptLoadError } from '../lazy-page.ts';
import { Button } from '../ui/button.tsx';
import { PageHeader } from '../ui/page-header.tsx';

/** Error boundary of a page. */
export function PageError() {
  const { t } = useTranslation('shell');
  const outdated = useRouteError() instanceof ScriptLoadError;
  return (
    <div role="alert">
      <PageHeader
        title={t(outdated ? 'failure.outdated_title' : 'failure.title')}
        lead={t(outdated ? 'failure.outdated_text' : 'failure.text')}
      />
      <Button kind="primary" onClick={() => location.reload()}>
        {t('failure.reload')}
      </Button>
    </div>
  );
}

/** Error boundary of the shell. */
export function ShellError() {
  return (
    <main className="page">
      <PageError />
    </main>
  );
}
