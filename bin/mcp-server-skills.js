#!/usr/bin/env node
// Written in syntax that old versions of Node read too, so that they can say what is missing.
var version = process.versions.node.split('.').map(Number);
if (version[0] < 20 || (version[0] === 20 && version[1] < 12)) {
  process.stderr.write('mcp-server-skills needs Node 20.12 or newer, and this is ' + process.versions.node + '\n');
  process.exitCode = 1;
} else {
  import('../dist/command.cjs').then((command) => command.default.run(process));
}
