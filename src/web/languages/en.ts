/** Every text of the application in this language: path of its file → texts. One script, loaded for readers of this language only. */
export const files = import.meta.glob<Record<string, unknown>>(
  ['../../locales/en/*.json', '!../../locales/en/{mail,site}.json'],
  {
    eager: true,
    import: 'default',
  },
);
