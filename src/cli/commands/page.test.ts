import { describe, expect, it } from 'vitest';
import { UsageError } from '../command.ts';
import { plantProject } from '../project.fixture.ts';
import { page } from './page.ts';

describe('--port', () => {
  it.each([
    ['0', 'wants a number up to 65535'],
    ['65536', 'wants a number up to 65535'],
    ['http', 'wants a number up to 65535'],
    ['6000', 'browsers open nothing at port 6000'],
    ['22', 'browsers open nothing at port 22'],
    ['10080', 'browsers open nothing at port 10080'],
  ])('refuses %s', async (port, why) => {
    const project = plantProject();
    try {
      const ran = project.world().run(page, '--port', port);
      await expect(ran).rejects.toThrow(UsageError);
      await expect(project.world().run(page, '--port', port)).rejects.toThrow(why);
    } finally {
      await project.remove();
    }
  });
});
