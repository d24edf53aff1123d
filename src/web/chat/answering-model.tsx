import { Link } from 'react-router';
import type { AnsweringModel } from '#contract/own-models.ts';
import { useTranslation } from '../i18n.ts';

interface AnsweringModelLineProps {
  projectId: string;
  /** Undefined while unknown. */
  model: AnsweringModel | null | undefined;
}

/** Model of the next answer, and where its data goes. */
export function AnsweringModelLine({ projectId, model }: AnsweringModelLineProps) {
  const { t } = useTranslation('chat');
  if (model === undefined) return <p className="min-h-6" />;
  const settings =
    model?.source === 'project' ? `/projects/${projectId}?tab=settings#model` : '/settings#model';
  const link = (
    <Link to={settings} className="link whitespace-nowrap">
      {t(model?.source === 'project' || model?.source === 'own' ? 'model.change' : 'model.bring')}
    </Link>
  );
  if (model === null) {
    return (
      <p className="text-sm text-muted">
        {t('model.none')} {link}
      </p>
    );
  }
  if (model.unusable) {
    return (
      <p className="text-sm text-muted">
        <span className="text-foreground">
          {t(`model.unusable.${model.unusable}`, { model: model.name })}
        </span>{' '}
        {link}
      </p>
    );
  }
  return (
    <p className="text-sm wrap-anywhere text-muted">
      {t(`model.answers.${model.source}`, { model: model.name })} {t('model.data', { host: model.host })}{' '}
      {link}
    </p>
  );
}
