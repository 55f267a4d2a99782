import { describe, expect, it } from 'vitest';
import { PACKAGE_PROGRAMS } from './programs.ts';
import { effectsBy } from '../scene.fixture.ts';

function tell(text: string): string[] {
  return effectsBy(PACKAGE_PROGRAMS, text).map(({ kind, how, target }) => `${kind} ${how ?? ''}: ${target}`);
}

describe('publishing', () => {
  it.each([
    ['npm publish', 'package: this package'],
    ['npm --prefix pkg publish ./dist', 'package: ./dist'],
    ['npm -w a publish', 'package: this package'],
    ['npm unpublish a@1', 'take-back: a@1'],
    ['pnpm -r --filter a publish', 'package: this package'],
    ['pnpm -w publish', 'package: this package'],
    ['yarn npm publish', 'package: this package'],
    ['yarn workspace a npm publish', 'package: this package'],
    ['yarn workspaces foreach -A npm publish', 'package: this package'],
    ['changeset publish', 'package: this package'],
    ['cargo +nightly publish -p a', 'package: this package'],
    ['cargo yank a', 'take-back: a'],
    ['twine upload dist/*', 'package: dist/*'],
    ['python -m twine upload dist/*', 'package: dist/*'],
    ['uv publish', 'package: this package'],
    ['gem push a.gem', 'package: a.gem'],
    ['mvn -B clean deploy', 'package: this package'],
    [
      './gradlew :lib:publishAllPublicationsToCentralRepository',
      'package: :lib:publishAllPublicationsToCentralRepository',
    ],
    ['dotnet nuget push a.nupkg', 'package: a.nupkg'],
    ['goreleaser release --clean', 'release: this package'],
    ['semantic-release', 'release: this package'],
  ])('%s', (text, told) => expect(tell(text)).toEqual([`publish ${told}`]));

  it.each([
    'npm publish --dry-run',
    'npm run publish',
    'npm view publish',
    'npm pack',
    'npm --prefix publish test',
    'yarn publish --help',
    'cargo publish -n',
    'cargo build',
    'dotnet publish -c Release',
    'mvn clean install',
    './gradlew publishToMavenLocal',
    './gradlew publish --dry-run',
    'goreleaser release --snapshot',
    'semantic-release --dry-run',
    'twine check dist/*',
    'python -m pytest publish',
  ])('passes %s', (text) => expect(tell(text)).toEqual([]));
});

describe("the system's own Python", () => {
  it.each([
    'pip install --break-system-packages requests',
    'PIP INSTALL --BREAK-SYSTEM-PACKAGES requests',
    'PIP_BREAK_SYSTEM_PACKAGES=1 pip install requests',
    'sudo pip install requests',
    'sudo python -m pip install -r requirements.txt',
    'uv pip install --system --break-system-packages requests',
  ])('%s', (text) => {
    const [effect, ...more] = effectsBy(PACKAGE_PROGRAMS, text);
    expect(effect).toMatchObject({ kind: 'write', how: 'system-packages', scope: 'system' });
    expect(more).toEqual([]);
  });

  it.each([
    'pip install requests',
    'pip install --user requests',
    'python -m pip install requests',
    'sudo pip list',
    'sudo pip install -t vendor requests',
    'sudo ./venv/bin/pip install requests',
    'pip help install --break-system-packages',
    'sudo apt install python3-pip',
  ])('passes %s', (text) => expect(tell(text)).toEqual([]));
});
