import { useTranslation } from '../i18n.ts';
import { ButtonLink } from '../ui/button.tsx';
import { PageHeader } from '../ui/page-header.tsx';

/** 404 page. */
export function Component() {
  const { t } = useTranslation('guide');
  return (
    <>
      <PageHeader title={t('not_found.title')} lead={t('not_found.text')} />
      <ButtonLink to="/">{t('not_found.home')}</ButtonLink>
    </>
  );
}
