import type { Project } from '#contract/projects.ts';
import { useTranslation } from '../i18n.ts';
import { Field, Select } from '../ui/field.tsx';

interface ProjectSelectProps {
  projects: Pick<Project, 'id' | 'name'>[];
  /** Undefined while none is selected. */
  selected: string | undefined;
  onSelect: (id: string) => void;
}

/** Labeled list of the user's projects. */
export function ProjectSelect({ projects, selected, onSelect }: ProjectSelectProps) {
  const { t } = useTranslation('parts');
  return (
    <div className="mb-6 max-w-80">
      <Field label={t('project')}>
        <Select value={selected ?? ''} onChange={(event) => onSelect(event.target.value)}>
          {selected === undefined && <option value="">{t('select_project')}</option>}
          {projects.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </Select>
      </Field>
    </div>
  );
}
