/** Page that `g` and another key open: that key, the path, and the key of its text. */
interface GoKey {
  key: string;
  text: string;
  to: string;
}

/** Pages of the application. */
export const GO_KEYS: readonly GoKey[] = [
  { key: 'h', text: 'shell:menu.home', to: '/' },
  { key: 'd', text: 'shell:menu.dashboard', to: '/dashboard' },
  { key: 'p', text: 'shell:menu.projects', to: '/projects' },
  { key: 'e', text: 'shell:menu.debug', to: '/debug' },
  { key: 'y', text: 'shell:menu.history', to: '/history' },
  { key: 's', text: 'shell:search_label', to: '/search' },
  { key: 'n', text: 'shell:menu.notifications', to: '/notifications' },
  { key: 'u', text: 'shell:menu.profile', to: '/profile' },
  { key: ',', text: 'shell:menu.settings', to: '/settings' },
];

/** Pages of the project in which the reader is; paths follow `/projects/:id`. */
export const PROJECT_GO_KEYS: readonly GoKey[] = [
  { key: 'o', text: 'palette:project.overview', to: '' },
  { key: 'f', text: 'palette:project.files', to: '/files' },
  { key: 'c', text: 'palette:project.chat', to: '/chat' },
  { key: 'i', text: 'palette:project.editor', to: '/ide' },
  { key: 'v', text: 'projects:tab.evolution', to: '/evolution' },
  { key: 't', text: 'projects:tab.trust', to: '/trust' },
  { key: 'b', text: 'projects:tab.branches', to: '/branches' },
  { key: 'x', text: 'palette:project.compare', to: '/compare' },
];

/** Path of a project's page. */
export function projectPageUrl(projectId: string, path: string): string {
  return path === '/ide' ? `/ide/${projectId}` : `/projects/${projectId}${path}`;
}
