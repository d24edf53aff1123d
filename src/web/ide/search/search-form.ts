/** Text to find in files, as the form of the search has it. */
export interface SearchForm {
  q: string;
  isRegex: boolean;
  matchCase: boolean;
  wholeWord: boolean;
  include: string;
  exclude: string;
}

/** The form before anything was typed. */
export const EMPTY_SEARCH: SearchForm = {
  ...{ q: '', isRegex: false, matchCase: false, wholeWord: false, include: '', exclude: '' },
};
