// Run by `npm version`: the registry wants the version in server.json too, and package.json has it.
import { readFileSync, writeFileSync } from 'node:fs';

const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
const text = readFileSync('server.json', 'utf8');
writeFileSync('server.json', text.replaceAll(/("version": )"[^"]*"/g, `$1"${version}"`));
