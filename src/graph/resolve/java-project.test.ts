import { beforeAll, describe, expect, it } from 'vitest';
import { pathsOf, pinnedEdges, showProject, worldOfProject } from './project.fixture.ts';
import type { World } from './world.ts';

describe('a Java project', () => {
  let world: World;
  beforeAll(async () => {
    world = await worldOfProject('java-project');
  });

  it('leads to exactly what is pinned', () => {
    expect(showProject(world, pathsOf('java-project'))).toBe(pinnedEdges('java-project'));
  });
});
