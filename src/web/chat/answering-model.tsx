import { Link } from 'react-router';
import type { AnsweringModel } from '#contract/own-models.ts';
import type { Project } from '#contract/projects.ts';
import { useTranslation } from '../i18n.ts';

interface AnsweringModelLineProps {
  project: Project;
  /** Undefined while unknown. */
  model: AnsweringModel | null | undefined;
}

/** Model of the next answer, and where its data goes. */
export function AnsweringModelLine({ project, model }: AnsweringModelLineProps) {
  const { t } = useTranslation('chat');
  if (model === undefined) return <p className="min-h-6" />;
  const isProjects = model?.source === 'project';
  const settings = isProjects ? `/projects/${project.id}/settings#model` : '/settings#model';
  // Its owner alone can change the model of a project.
  const link = (!isProjects || project.role === 'owner') && (
    <Link to={settings} className="link whitespace-nowrap">
      {t(isProjects || model?.source === 'own' ? 'model.change' : 'model.bring')}
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
