import { useTranslation } from '../i18n.ts';

/** Package whose code is part of the program, with the identifier of its licence. */
export interface LicensedPackage {
  name: string;
  version: string;
  license: string;
}

/** `/licenses`: packages of others with their licences; the texts are in one file. */
export function LicensesPage({ packages }: { packages: LicensedPackage[] }) {
  const { t } = useTranslation('site');
  return (
    <article className="flex max-w-[76ch] flex-col gap-3 pt-10">
      <h1 className="landing-title">{t('page.licenses')}</h1>
      <p className="text-answer">{t('licenses.lead', { packages: packages.length })}</p>
      <p>
        <a href="/licenses.txt" className="link">
          {t('licenses.texts')}
        </a>
      </p>
      <table className="w-full [&_td]:border-t [&_td]:border-border [&_td]:py-1 [&_td]:pr-4 [&_td]:break-words [&_th]:py-1 [&_th]:pr-4 [&_th]:text-left">
        <thead>
          <tr>
            <th scope="col">{t('licenses.package')}</th>
            <th scope="col">{t('licenses.version')}</th>
            <th scope="col">{t('licenses.license')}</th>
          </tr>
        </thead>
        <tbody>
          {packages.map(({ name, version, license }) => (
            <tr key={`${name}@${version}`}>
              <td>{name}</td>
              <td>{version}</td>
              <td>{license}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </article>
  );
}
