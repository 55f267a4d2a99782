import type { LanguageDescriptor } from '../descriptor.ts';

export const ruby: LanguageDescriptor = {
  name: 'ruby',
  code: 9,
  endings: '.rb .rake .gemspec .ru',
  files: 'Gemfile Rakefile Guardfile Capfile',
  programs: 'ruby',
  tests: /(?:^|\/)(?:spec\/|tests?\/|features\/|test_[^/]*\.rb$|[^/]*_(?:spec|test)\.rb$)/,
};
