import { useQuery } from '@tanstack/react-query';
import { apiQuery } from '../api-query.ts';
import { useTranslation } from '../i18n.ts';
import { QueryState } from '../ui/query-state.tsx';
import { formatSize } from './format-size.ts';
import { NotFoundState } from './not-found-state.tsx';

interface ImageViewProps {
  projectId: string;
  path: string;
  revision: string | null;
}

/** An image of the repository. */
export function ImageView(props: ImageViewProps) {
  return (
    <NotFoundState error={useImage(props).error} projectId={props.projectId}>
      <RepositoryImage {...props} />
    </NotFoundState>
  );
}

/** An image on a checkered ground, with its size. */
export function RepositoryImage(props: ImageViewProps) {
  const { i18n } = useTranslation('code');
  const query = useImage(props);
  return (
    <QueryState query={query} loading={['40%']}>
      {({ media_type, data, size }) => (
        <figure className="rounded-md border border-border bg-surface p-4">
          <img
            src={`data:${media_type};base64,${data}`}
            alt={props.path}
            className="checkered max-h-[70vh] max-w-full"
          />
          <figcaption className="mt-2 text-sm text-muted">{formatSize(size, i18n.language)}</figcaption>
        </figure>
      )}
    </QueryState>
  );
}

function useImage({ projectId, path, revision }: ImageViewProps) {
  return useQuery({
    ...apiQuery('GET /projects/:id/images/*', {
      params: { id: projectId, '*': path },
      query: { ref: revision ?? undefined },
    }),
    staleTime: 60_000,
  });
}
