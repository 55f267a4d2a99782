const DIRECTORY = /(^|\/)(tests?|__tests__|specs?|e2e|testdata|fixtures?|__fixtures__|mocks|__mocks__|testutils?)\//i;
const FILE = /(^|\/)(conftest\.py|test[-_]?helpers?\.\w+|[^/]*[._-](fixtures?|mocks?|stub|stories)\.\w+)$/i;

/** By its name alone: what tests are built from, as fixtures and the projects they run on are. */
export function isTestSupport(path: string): boolean {
  return DIRECTORY.test(path) || FILE.test(path);
}
