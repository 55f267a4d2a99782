/** Endings of the files that a code graph reads, by language; a test holds them against those it knows. */
const ENDINGS = [
  'ts tsx mts cts',
  'js jsx mjs cjs',
  'py pyi pyw',
  'pyx pxd pxi',
  'go',
  'rs',
  'java',
  'c h',
  'cc cpp cxx c++ hh hpp hxx h++ ipp tpp inl C H',
  'rb rake gemspec ru',
  'sh bash zsh ksh bats',
];

export const CODE_FILES: readonly string[] = ENDINGS.flatMap((endings) => endings.split(' ')).map(
  (ending) => `*.${ending}`,
);
