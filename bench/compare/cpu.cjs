// Says on the last line of stderr how much processor time the process has taken, in microseconds.
const { writeSync } = require('node:fs');
process.on('exit', () => {
  const { user, system } = process.cpuUsage();
  writeSync(2, `\ncpu ${user + system}\n`);
});
