import { ExternalLink } from 'lucide-react';
import { useTranslation } from '../i18n.ts';
import { buttonClass } from '../ui/button.tsx';
import { codeHostName } from './code-host.ts';

interface HostLinkProps {
  gitUrl: string;
  /** Page of the host; null where the host is not known. */
  url: string | null;
}

/** Button that opens a commit or file on the repository's code host. */
export function HostLink({ gitUrl, url }: HostLinkProps) {
  const { t } = useTranslation('parts');
  if (url === null) return null;
  return (
    <a href={url} target="_blank" rel="noreferrer noopener" className={buttonClass()}>
      <ExternalLink aria-hidden className="size-4" />
      {t('on_host', { host: codeHostName(gitUrl) })}
    </a>
  );
}
