import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { pathsOf, pinnedEdges, PROJECTS, showProject, worldOfProject } from './project.fixture.ts';

describe('the edges of a project', () => {
  it.each(readdirSync(PROJECTS))('%s leads to exactly what is pinned', async (name) => {
    expect(showProject(await worldOfProject(name), pathsOf(name))).toBe(pinnedEdges(name));
  });
});
