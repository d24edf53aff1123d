import { useTranslation } from 'react-i18next';
import { useRouteError } from 'react-router';
import { ScriptNotLoaded } from '../page.ts';
import { Button } from '../ui/button.tsx';
import { PageHeader } from '../ui/page-header.tsx';

/** What a page shows when it could not be loaded or broke while it was drawn. */
export function PageFailure() {
  const { t } = useTranslation('shell');
  const outdated = useRouteError() instanceof ScriptNotLoaded;
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

/** The same for the whole screen, where the shell itself broke. */
export function ShellFailure() {
  return (
    <main className="page">
      <PageFailure />
    </main>
  );
}
