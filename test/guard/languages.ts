/** How code of another language deletes a tree, runs a text in a shell and reaches a path, and how it comes to be run. */
export interface Tongue {
  /** How a text is written; the first of them may hold any text. */
  readonly strings: Readonly<Record<string, (text: string) => string>>;
  /** Asked about by themselves where they are run. */
  readonly doubtful?: Readonly<Record<string, (text: string) => string>>;
  /** How a variable is set to a value, and used. */
  readonly assigned?: (value: string) => readonly [before: string, name: string];
  /** Deletes the tree that an expression names. */
  readonly deletes: Readonly<Record<string, (path: string) => string>>;
  /** Runs the text that an expression gives in a shell. */
  readonly runs: Readonly<Record<string, (text: string) => string>>;
  /** Other expressions for the home directory. */
  readonly home?: readonly string[];
  /** How the interpreter is called: with code in a word, without, with a file. */
  readonly word: string;
  readonly input?: string;
  readonly file: string;
  readonly ending: string;
}

const single = (text: string): string => `'${text.replace(/['\\]/g, '\\$&')}'`;
const double = (text: string): string => JSON.stringify(text);
const dollars = (text: string): string => JSON.stringify(text).replace(/[$@#]/g, '\\$&');
const hex = (text: string): string =>
  `"${text
    .split('')
    .map((char) => `\\x${char.charCodeAt(0).toString(16).padStart(2, '0')}`)
    .join('')}"`;
const halves = (text: string, quote: (part: string) => string, mark: string): string => {
  const middle = Math.ceil(text.length / 2);
  return quote(text.slice(0, middle)) + mark + quote(text.slice(middle));
};
const joined =
  (quote: (part: string) => string, mark: string) =>
  (text: string): string =>
    halves(text, quote, mark);
const before = (code: string) => (call: (value: string) => string) => (value: string) => `${code}${call(value)}`;
const base64 = (text: string): string => Buffer.from(text).toString('base64');

const os = before('import os\n');
const shutil = before('import shutil\n');
const subprocess = before('import subprocess\n');
const processes = before('const c = require("child_process"); ');
const files = before('const fs = require("fs"); ');

export const TONGUES: Readonly<Record<string, Tongue>> = {
  python: {
    strings: {
      single,
      double,
      hex,
      'three quotes': (text) => `'''${text}'''`,
      raw: (text) => `r${single(text)}`,
      'side by side': joined(single, ' '),
      'put together': joined(double, ' + '),
      'a list joined': (text) => `"".join([${text.split('').map(single).join(', ')}])`,
      'an f-string': (text) => `f${double(text)}`,
      'the format method': (text) => `"{}".format(${double(text)})`,
      reversed: (text) => `${double(text.split('').toReversed().join(''))}[::-1]`,
      bytes: (text) =>
        `bytes([${text
          .split('')
          .map((char) => char.charCodeAt(0))
          .join(', ')}]).decode()`,
      characters: (text) =>
        text
          .split('')
          .map((char) => `chr(${char.charCodeAt(0)})`)
          .join('+'),
      replaced: (text) => `${double(text.replaceAll('r', 'Q'))}.replace("Q", "r")`,
    },
    doubtful: {
      base64: (text) => `__import__("base64").b64decode(${double(base64(text))}).decode()`,
      hex: (text) => `bytes.fromhex("${Buffer.from(text).toString('hex')}").decode()`,
    },
    assigned: (value) => [`p = ${value}\n`, 'p'],
    deletes: {
      'shutil.rmtree': shutil((path) => `shutil.rmtree(${path})`),
      'with more arguments': shutil((path) => `shutil.rmtree(path=${path}, ignore_errors=True)`),
      'from shutil': before('from shutil import rmtree\n')((path) => `rmtree(${path})`),
      'another name': before('from shutil import rmtree as r\n')((path) => `r(${path}, True)`),
      'a module by another name': before('import os, shutil as s\n')((path) => `s.rmtree(os.path.expanduser(${path}))`),
      __import__: (path) => `__import__('shutil').rmtree(${path})`,
      importlib: (path) => `import importlib; importlib.import_module('shutil').rmtree(${path})`,
      getattr: shutil((path) => `getattr(shutil, 'rmtree')(${path})`),
      'a name for the function': shutil((path) => `f = shutil.rmtree\nf(${path})`),
      'a path object': before('from pathlib import Path\nimport shutil\n')((path) => `shutil.rmtree(Path(${path}))`),
      'a path object by name': before('import pathlib, shutil\n')(
        (path) => `home = pathlib.Path(${path})\nshutil.rmtree(str(home))`,
      ),
      'a path from an address': before('import shutil, os\n')(
        (path) => `for d in [${path}]:\n    shutil.rmtree(os.path.abspath(d))`,
      ),
      'a function': shutil((path) => `def clean(d):\n    shutil.rmtree(d)\nclean(${path})`),
      exec: (path) => `exec(${JSON.stringify(`import shutil; shutil.rmtree(${path})`)})`,
    },
    runs: {
      'os.system': os((text) => `os.system(${text})`),
      'os.popen': os((text) => `os.popen(${text}).read()`),
      run: subprocess((text) => `subprocess.run(${text}, shell=True, check=True)`),
      'run of args': subprocess((text) => `subprocess.run(args=${text}, shell=True)`),
      'run of a shell': subprocess((text) => `subprocess.run(["bash", "-c", ${text}])`),
      Popen: before('from subprocess import Popen, PIPE\n')((text) => `Popen(${text}, shell=True, stdout=PIPE)`),
      'split words': before('import shlex, subprocess\n')((text) => `subprocess.check_call(shlex.split(${text}))`),
      getattr: os((text) => `getattr(os, "sys" + "tem")(${text})`),
      __import__: (text) => `__import__("os").system(${text})`,
      'another name': before('from os import system as s\n')((text) => `s(${text})`),
      spawn: before('import pty\n')((text) => `pty.spawn(["sh", "-c", ${text}])`),
      execl: os((text) => `os.execl("/bin/sh", "sh", "-c", ${text})`),
      asyncio: before('import asyncio\n')((text) => `asyncio.run(asyncio.create_subprocess_shell(${text}))`),
    },
    home: [
      "__import__('os').path.expanduser('~')",
      "__import__('os').environ['HOME']",
      "__import__('os').environ.get('HOME')",
      "__import__('os').getenv('HOME')",
      "__import__('pathlib').Path.home()",
      "__import__('os').path.join(__import__('os').path.expanduser('~'), '')",
      "f\"{__import__('os').environ['HOME']}/\"",
    ],
    word: 'python3 -c',
    input: 'python3 -',
    file: 'python3',
    ending: 'py',
  },
  node: {
    strings: {
      single,
      double,
      hex,
      template: (text) => `\`${text}\``,
      'put together': joined(single, ' + '),
      'a list joined': (text) => `[${text.split('').map(single).join(', ')}].join("")`,
      characters: (text) =>
        `String.fromCharCode(${text
          .split('')
          .map((char) => char.charCodeAt(0))
          .join(',')})`,
    },
    doubtful: {
      base64: (text) => `Buffer.from(${double(base64(text))}, "base64").toString()`,
      atob: (text) => `atob(${double(base64(text))})`,
    },
    assigned: (value) => [`const p = ${value};\n`, 'p'],
    deletes: {
      rmSync: files((path) => `fs.rmSync(${path}, { recursive: true, force: true })`),
      rmdirSync: files((path) => `fs.rmdirSync(${path}, { recursive: true })`),
      rm: before('const fs = require("node:fs/promises"); ')((path) => `fs.rm(${path}, { recursive: true })`),
      'of promises': files((path) => `await fs.promises.rm(${path}, {recursive: true})`),
      required: (path) => `require("fs").rmSync(${path}, {recursive:true})`,
      taken: (path) => `const { rmSync: r } = require("fs"); r(${path}, {recursive:true})`,
      imported: (path) => `import { rmSync } from "node:fs"; rmSync(${path}, {recursive:true})`,
      'a computed name': files((path) => `fs["rm" + "Sync"](${path}, {recursive:true})`),
      resolved: (path) => `require("fs").rmSync(require("path").resolve(${path}), {recursive:true})`,
      options: files((path) => `const o = {recursive: true}; fs.rmSync(${path}, o)`),
      rimraf: (path) => `require("rimraf").sync(${path})`,
      'fs-extra': before('const fs = require("fs-extra"); ')((path) => `fs.removeSync(${path})`),
    },
    runs: {
      execSync: processes((text) => `c.execSync(${text})`),
      exec: processes((text) => `c.exec(${text}, () => {})`),
      'spawn of a shell': processes((text) => `c.spawn("sh", ["-c", ${text}])`),
      'spawn with a shell': processes((text) => `c.spawnSync(${text}, { shell: true })`),
      taken: before('const { execSync } = require("node:child_process");\n')((text) => `execSync(${text})`),
      required: (text) => `require("child_process").execSync(${text}, {stdio: "inherit"})`,
      imported: (text) => `import("child_process").then((m) => m.execSync(${text}))`,
      'a computed name': (text) => `require("child_process")["execSync"](${text})`,
      'the main module': (text) => `process.mainModule.require("child_process").execSync(${text})`,
    },
    home: ['require("os").homedir()', 'process.env.HOME', 'process.env["HOME"]', '`${process.env.HOME}`'],
    word: 'node -e',
    input: 'node -',
    file: 'node',
    ending: 'js',
  },
  perl: {
    strings: {
      single,
      double: dollars,
      q: (text) => `q{${text}}`,
      qq: (text) => `qq(${text.replace(/[$@()]/g, '\\$&')})`,
      hex,
      'put together': joined(single, ' . '),
      'a list joined': (text) => `join("", ${text.split('').map(single).join(', ')})`,
    },
    assigned: (value) => [`my $p = ${value}; `, '$p'],
    deletes: {
      rmtree: before('use File::Path; ')((path) => `rmtree(${path});`),
      'remove_tree without brackets': before('use File::Path qw(remove_tree); ')((path) => `remove_tree ${path};`),
      'the whole name': before('require File::Path; ')((path) => `File::Path::remove_tree(${path});`),
    },
    runs: {
      system: (text) => `system(${text});`,
      'system without brackets': (text) => `system ${text};`,
      exec: (text) => `exec ${text};`,
      'a shell': (text) => `system("sh", "-c", ${text});`,
      'a pipe': (text) => `open(my $h, "-|", ${text});`,
    },
    home: ['$ENV{HOME}', '"$ENV{HOME}"', "$ENV{'HOME'}"],
    word: 'perl -e',
    input: 'perl -',
    file: 'perl',
    ending: 'pl',
  },
  ruby: {
    strings: {
      single,
      double: dollars,
      '%q': (text) => `%q(${text})`,
      hex,
      'put together': joined(single, ' + '),
      'side by side': joined(double, ' '),
    },
    assigned: (value) => [`p1 = ${value}; `, 'p1'],
    deletes: {
      rm_rf: before('require "fileutils"; ')((path) => `FileUtils.rm_rf(${path})`),
      'without brackets': before('require "fileutils"; ')((path) => `FileUtils.rm_rf ${path}`),
      'rm_r with options': before('require "fileutils"; ')((path) => `FileUtils.rm_r(${path}, force: true)`),
      remove_dir: before('require "fileutils"; ')((path) => `FileUtils.remove_dir(${path})`),
      'a path object': before('require "pathname"; ')((path) => `Pathname.new(${path}).rmtree`),
      send: before('require "fileutils"; ')((path) => `FileUtils.send(:rm_rf, ${path})`),
      expanded: before('require "fileutils"; ')((path) => `FileUtils.rm_rf(File.expand_path(${path}))`),
    },
    runs: {
      system: (text) => `system(${text})`,
      'system without brackets': (text) => `system ${text}`,
      exec: (text) => `exec ${text}`,
      spawn: (text) => `Process.spawn(${text})`,
      'IO.popen': (text) => `IO.popen(${text}).read`,
      Open3: before('require "open3"; ')((text) => `Open3.capture2(${text})`),
      Kernel: (text) => `Kernel.system("sh", "-c", ${text})`,
      filled: (text) => `c = ${text}; \`#{c}\``,
    },
    home: ['Dir.home', 'ENV["HOME"]', 'ENV.fetch("HOME")', '"#{ENV["HOME"]}"', '"#{Dir.home}"'],
    word: 'ruby -e',
    input: 'ruby -',
    file: 'ruby',
    ending: 'rb',
  },
  php: {
    strings: { single, double: dollars, 'put together': joined(single, ' . '), hex },
    assigned: (value) => [`$p = ${value}; `, '$p'],
    deletes: {
      'a shell': (path) => `system("rm -rf " . ${path});`,
      deleteDirectory: (path) => `Illuminate\\Support\\Facades\\File::deleteDirectory(${path});`,
    },
    runs: {
      system: (text) => `system(${text});`,
      exec: (text) => `exec(${text}, $o);`,
      popen: (text) => `popen(${text}, "r");`,
      call_user_func: (text) => `call_user_func("system", ${text});`,
    },
    home: ['getenv("HOME")', '$_SERVER["HOME"]', "$_SERVER['HOME']"],
    word: 'php -r',
    file: 'php',
    ending: 'php',
  },
  r: {
    strings: {
      single,
      double,
      raw: (text) => `r"(${text})"`,
      pasted: (text) => `paste0(${halves(text, double, ', ')})`,
    },
    assigned: (value) => [`p <- ${value}; `, 'p'],
    deletes: {
      unlink: (path) => `unlink(${path}, recursive = TRUE)`,
      force: (path) => `unlink(${path}, recursive=T, force=T)`,
      base: (path) => `base::unlink(${path}, TRUE)`,
      dir_delete: (path) => `fs::dir_delete(${path})`,
    },
    runs: {
      system: (text) => `system(${text})`,
      system2: (text) => `system2("sh", c("-c", shQuote(${text})))`,
      'do.call': (text) => `do.call("system", list(${text}))`,
    },
    home: ['Sys.getenv("HOME")', 'path.expand("~")', 'normalizePath("~")', 'file.path("~")'],
    word: 'Rscript -e',
    input: 'R --vanilla --no-save',
    file: 'Rscript',
    ending: 'R',
  },
  julia: {
    strings: { double: dollars, 'put together': joined(dollars, ' * '), 'three quotes': (text) => `"""${text}"""` },
    assigned: (value) => [`p = ${value}; `, 'p'],
    deletes: {
      rm: (path) => `rm(${path}; recursive=true, force=true)`,
    },
    runs: {
      'a shell': (text) => `run(\`sh -c $(${text})\`)`,
      read: (text) => `read(Cmd(["sh", "-c", ${text}]), String)`,
    },
    home: ['homedir()', 'ENV["HOME"]', 'expanduser("~")'],
    word: 'julia -e',
    input: 'julia -',
    file: 'julia',
    ending: 'jl',
  },
  lua: {
    strings: { single, double, long: (text) => `[[${text}]]`, 'put together': joined(single, ' .. ') },
    assigned: (value) => [`local p = ${value}; `, 'p'],
    deletes: {
      'a shell': (path) => `os.execute("rm -rf " .. ${path})`,
    },
    runs: {
      execute: (text) => `os.execute(${text})`,
      'without brackets': (text) => (/^["'[]/.test(text) ? `os.execute ${text}` : `os.execute(${text})`),
      popen: (text) => `io.popen(${text}):read("*a")`,
      'another name': (text) => `local x = os.execute; x(${text})`,
      'an index': (text) => `os["execute"](${text})`,
    },
    home: ['os.getenv("HOME")'],
    word: 'lua -e',
    input: 'lua -',
    file: 'lua',
    ending: 'lua',
  },
  tcl: {
    strings: { double: (text) => `"${text.replace(/["\\$[\]]/g, '\\$&')}"`, braces: (text) => `{${text}}` },
    assigned: (value) => [`set p ${value}; `, '$p'],
    deletes: {
      'file delete': (path) => `file delete -force ${path}`,
    },
    runs: {
      exec: (text) => `exec sh -c ${text}`,
      'in brackets': (text) => `puts [exec bash -c ${text}]`,
      open: (text) => `set f [open "|sh" w]; puts $f ${text}`,
      eval: (text) => `eval exec sh -c [list ${text}]`,
    },
    home: ['$env(HOME)', '$::env(HOME)'],
    word: '',
    input: 'tclsh',
    file: 'tclsh',
    ending: 'tcl',
  },
  awk: {
    strings: { double, 'side by side': joined(double, ' ') },
    assigned: (value) => [`p = ${value}; `, 'p'],
    deletes: {
      'a shell': (path) => `system("rm -rf " ${path})`,
    },
    runs: {
      system: (text) => `system(${text})`,
      getline: (text) => `c = ${text}; c | getline x`,
      'printed to a shell': (text) => `print ${text} | "sh"`,
      'a coprocess': (text) => `print ${text} |& "sh"`,
    },
    home: ['ENVIRON["HOME"]'],
    word: 'awk',
    file: 'awk -f',
    ending: 'awk',
  },
  elisp: {
    strings: { double, 'put together': (text) => `(concat ${halves(text, double, ' ')})` },
    assigned: (value) => [`(setq p ${value}) `, 'p'],
    deletes: {
      'delete-directory': (path) => `(delete-directory ${path} t)`,
      expanded: (path) => `(delete-directory (expand-file-name ${path}) 'recursive)`,
      let: (path) => `(let ((d ${path})) (delete-directory d t))`,
    },
    runs: {
      'shell-command': (text) => `(shell-command ${text})`,
      'to a string': (text) => `(message (shell-command-to-string ${text}))`,
      'call-process': (text) => `(call-process "sh" nil nil nil "-c" ${text})`,
      'start-process': (text) => `(start-process "x" nil "bash" "-c" ${text})`,
      funcall: (text) => `(funcall 'shell-command ${text})`,
    },
    home: ['(getenv "HOME")', '(expand-file-name "~")'],
    word: 'emacs --batch --eval',
    file: 'emacs -Q --script',
    ending: 'el',
  },
  powershell: {
    strings: {
      single: (text) => `'${text.replaceAll("'", "''")}'`,
      double: (text) => `"${text.replace(/["`$]/g, '`$&')}"`,
    },
    assigned: (value) => [`$p = ${value}; `, '$p'],
    deletes: {
      'Remove-Item': (path) => `Remove-Item -Recurse -Force ${path}`,
      'options cut short': (path) => `remove-item ${path} -r -fo`,
      'by path': (path) => `Remove-Item -LiteralPath ${path} -Recurse`,
      ri: (path) => `ri ${path} -Recurse -Force -ErrorAction SilentlyContinue`,
      'a pipe': (path) => `Get-Item ${path} | Remove-Item -Recurse -Force`,
      net: (path) => `[System.IO.Directory]::Delete(${path}, $true)`,
    },
    runs: {
      sh: (text) => `sh -c ${text}`,
      'a call': (text) => `& 'bash' '-c' ${text}`,
      'Start-Process': (text) => `Start-Process -FilePath sh -ArgumentList '-c',${text}`,
    },
    home: ['$HOME', '$env:HOME', '"$env:HOME"', '$env:USERPROFILE', '~'],
    word: 'pwsh -NoProfile -Command',
    input: 'pwsh -',
    file: 'pwsh -File',
    ending: 'ps1',
  },
};
