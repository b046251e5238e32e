#!/usr/bin/env node
// Written in syntax that old versions of Node read too, so that they can say what is missing. CommonJS, by the package.json beside it:
// importing the bundle as a module would have all of it scanned for exports first, which takes longer than compiling it.
var version = process.versions.node.split('.').map(Number);
if (version[0] < 20 || (version[0] === 20 && version[1] < 12)) {
  process.stderr.write('mcp-server-skills needs Node 20.12 or newer, and this is ' + process.versions.node + '\n');
  process.exitCode = 1;
} else {
  // a server to wrap starts beside all that follows
  var early = process.argv.indexOf('--wrap') === -1 ? undefined : require('../dist/early.cjs').startEarly(process);
  require('../dist/cache.cjs').keepCompiled(process);
  require('../dist/command.cjs').run(process, early);
}
