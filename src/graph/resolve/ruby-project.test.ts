import { beforeAll, describe, expect, it } from 'vitest';
import { pathsOf, pinnedEdges, showProject, worldOfProject } from './project.fixture.ts';
import type { World } from './world.ts';

describe('a Ruby project', () => {
  let world: World;
  beforeAll(async () => {
    world = await worldOfProject('ruby-project');
  });

  it('leads to exactly what is pinned', () => {
    expect(showProject(world, pathsOf('ruby-project'))).toBe(pinnedEdges('ruby-project'));
  });
});
