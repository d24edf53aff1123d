const encodePath = (path: string) => path.split('/').map(encodeURIComponent).join('/');

/** URL of a folder, which its last slash tells from a file; the root for an empty path. */
export function folderUrl(projectId: string, path: string, ref: string | null): string {
  const query = ref ? `?ref=${encodeURIComponent(ref)}` : '';
  return `/projects/${projectId}/files${path === '' ? '' : `/${encodePath(path)}/`}${query}`;
}

/** URL of a function's history. */
export function functionUrl(projectId: string, path: string, name: string): string {
  return `/projects/${projectId}/functions/${encodePath(path)}?name=${encodeURIComponent(name)}`;
}

/** URL of a comparison. */
export function compareUrl(projectId: string, base: string, head: string): string {
  return `/projects/${projectId}/compare/${encodePath(base)}...${encodePath(head)}`;
}

/** URL of the chat with a question to complete. */
export function askUrl(projectId: string, question: string): string {
  return `/projects/${projectId}/chat?ask=${encodeURIComponent(question)}`;
}
