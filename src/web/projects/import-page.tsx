import { Link } from 'react-router';
import { useTranslation } from '../i18n.ts';
import { PageHeader } from '../ui/page-header.tsx';
import { ListingPage } from '../ui/page-width.tsx';
import { RepositoryImport } from './repository-import.tsx';

/** `/projects/import`: many repositories of an account or organization. */
export function Component() {
  const { t } = useTranslation(['first-run', 'projects']);
  const breadcrumbs = (
    <Link to="/projects" className="hover:text-action">
      {t('projects:crumb')}
    </Link>
  );
  return (
    <ListingPage>
      <PageHeader title={t('import.title')} lead={t('import.lead')} breadcrumbs={breadcrumbs} />
      <RepositoryImport />
    </ListingPage>
  );
}
