import type { Call } from '../../shell/languages/values.ts';

type Deed = 'remove-tree' | 'remove' | 'overwrite' | 'append' | 'truncate' | 'move' | 'copy' | 'link' | 'open' | 'read';

export interface Known {
  readonly deed: Deed;
  /** Which argument it is about. */
  readonly at: number;
}

/**
 * What calls do to files, by language. `a.b` is called so; `*.b` on whatever; `b` by itself. A path object has all of them.
 * A number behind a name says which argument is meant, counted from zero.
 */
const DEEDS: Readonly<Record<string, Partial<Record<Deed, string>>>> = {
  python: {
    'remove-tree': '*.rmtree *.remove_tree',
    remove: 'os.remove os.unlink os.rmdir os.removedirs path.unlink path.rmdir remove unlink',
    overwrite: '*.write_text *.write_bytes',
    truncate: 'os.truncate os.ftruncate',
    move: 'os.rename os.replace os.renames shutil.move move path.rename path.replace',
    copy: '*.copytree *.copyfile *.copy2 shutil.copy copy',
    link: 'os.symlink os.link *.symlink_to *.hardlink_to *.link_to',
    open: 'open io.open codecs.open os.open path.open',
    read: '*.read_text *.read_bytes *.readlines',
  },
  node: {
    'remove-tree':
      'rimraf *.rimraf *.rimrafSync rimraf.sync *.emptyDirSync *.emptyDir fs-extra.removeSync fse.removeSync fs-extra.remove fse.remove del.sync deleteSync',
    remove:
      '*.unlinkSync *.rmSync *.rmdirSync fs.rm fsp.rm fs.promises.rm promises.rm fsPromises.rm rm fs.rmdir fsp.rmdir fs.promises.rmdir rmdir fs.unlink fsp.unlink fs.promises.unlink fsPromises.unlink unlink Deno.remove Deno.removeSync',
    overwrite:
      '*.writeFileSync *.writeTextFile *.writeTextFileSync *.createWriteStream *.outputFileSync fs.writeFile fsp.writeFile fs.promises.writeFile fsPromises.writeFile writeFile promises.writeFile Deno.writeFile Bun.write',
    append: '*.appendFileSync *.appendFile',
    truncate: '*.truncateSync fs.truncate fsp.truncate fs.promises.truncate',
    move: '*.renameSync *.moveSync fs.rename fsp.rename fs.promises.rename',
    copy: '*.copyFileSync *.cpSync *.copySync *.copyFile fs.cp fsp.cp fs.promises.cp',
    link: '*.symlinkSync *.symlink *.linkSync fs.link fsp.link',
    read: '*.readFileSync *.readTextFile *.readTextFileSync *.createReadStream fs.readFile fsp.readFile fs.promises.readFile readFile promises.readFile Bun.file Deno.readFile',
  },
  ruby: {
    'remove-tree': '*.rm_rf *.rm_r *.rmtree *.remove_entry *.remove_entry_secure *.remove_dir',
    remove: '*.safe_unlink *.rm_f FileUtils.rm FileUtils.remove File.delete File.unlink path.delete path.unlink',
    overwrite: 'File.write IO.write *.binwrite path.write',
    truncate: 'File.truncate',
    move: 'FileUtils.mv FileUtils.move File.rename path.rename',
    copy: 'FileUtils.cp FileUtils.cp_r FileUtils.copy *.copy_entry',
    link: 'File.symlink File.link *.ln_s *.ln_sf',
    open: 'open File.open IO.open File.new path.open',
    read: 'File.read IO.read File.readlines *.binread path.read',
  },
  perl: {
    'remove-tree': '*.rmtree *.remove_tree',
    remove: 'unlink rmdir',
    truncate: 'truncate',
    move: 'rename move File.Copy.move',
    copy: 'copy File.Copy.copy',
    link: 'symlink link',
    open: 'open *.fopen',
  },
  php: {
    'remove-tree': '*.deleteDirectory *.cleanDirectory',
    remove: 'unlink rmdir',
    overwrite: 'file_put_contents',
    truncate: 'ftruncate',
    move: 'rename',
    copy: 'copy',
    link: 'symlink link',
    open: 'fopen',
    read: 'file_get_contents readfile file',
  },
  r: {
    'remove-tree': 'fs.dir_delete',
    remove: 'unlink file.remove fs.file_delete',
    overwrite: 'file.create writeLines:1 write:1 saveRDS:1',
    move: 'file.rename',
    copy: 'file.copy',
    read: 'readLines readRDS readr.read_file read_file',
  },
  julia: {
    remove: 'rm Base.rm Base.Filesystem.rm',
    move: 'mv',
    copy: 'cp',
    overwrite: 'write touch',
    link: 'symlink',
    open: 'open',
    read: 'readlines',
  },
  lua: { remove: 'os.remove lfs.rmdir', move: 'os.rename', open: 'io.open', read: 'io.lines' },
  tcl: { remove: 'file.delete', move: 'file.rename', copy: 'file.copy', link: 'file.link', open: 'open' },
  elisp: {
    remove: 'delete-directory delete-file move-file-to-trash',
    overwrite: 'write-region:2 with-temp-file write-file',
    append: 'append-to-file:2',
    move: 'rename-file',
    copy: 'copy-file copy-directory',
    link: 'make-symbolic-link',
    read: 'insert-file-contents find-file-noselect',
  },
  // Its own commands are read as those of a shell.
  powershell: {
    remove: 'io.directory.delete io.file.delete',
    overwrite: 'io.file.writealltext io.file.writealllines',
    move: 'io.file.move io.directory.move',
    copy: 'io.file.copy',
    read: 'io.file.readalltext',
  },
};

type Row = Known & { readonly owner: string };

function rowsOf(deeds: Partial<Record<Deed, string>>): ReadonlyMap<string, readonly Row[]> {
  const rows = new Map<string, Row[]>();
  for (const [deed, list] of Object.entries(deeds)) {
    for (const item of list.split(' ')) {
      const [whole = '', at = '0'] = item.split(':');
      const dot = whole.lastIndexOf('.');
      const name = whole.slice(dot + 1);
      const row: Row = { deed: deed as Deed, at: Number(at), owner: dot < 0 ? '' : whole.slice(0, dot) };
      rows.set(name, [...(rows.get(name) ?? []), row]);
    }
  }
  return rows;
}

const TABLE: ReadonlyMap<string, ReadonlyMap<string, readonly Row[]>> = new Map(
  Object.entries(DEEDS).map(([language, deeds]) => [language, rowsOf(deeds)]),
);

/** What the call does to files; undefined when it is none that does. */
export function deedOf({ name, owner, self, args }: Call, language: string): Known | undefined {
  const rows = TABLE.get(language)?.get(name);
  if (!rows) return undefined;
  const isPath = self?.path === true;
  return rows.find((row) => {
    if (row.owner === '*' || (row.owner === 'path' && isPath)) return true;
    // `for p in …: p.unlink()`
    if (row.owner === 'path') return name === 'unlink' && args.length === 0;
    return self ? isPath : row.owner === owner;
  });
}
