import { isRecord } from '../catalog/foreign.ts';
import type { Fault } from './checks.ts';
import type { Session } from './dialogue.ts';
import { showValue } from './difference.ts';

/** The identifier of the Skills extension. */
const EXTENSION = 'io.modelcontextprotocol/skills';

/** What a server declares. */
export interface Declaration {
  /** Whether it declares the extension where clients look for it. */
  readonly isDeclared: boolean;
  readonly directoryRead: boolean;
  readonly faults: readonly Fault[];
}

/** Judges what the server declared when it was connected (Skills extension, "Capabilities"). */
export function judgeDeclaration({ hello: { capabilities } }: Session): Declaration {
  const faults: Fault[] = [];
  const extensions = isRecord(capabilities['extensions']) ? capabilities['extensions'] : {};
  const settings = extensions[EXTENSION];
  const experimental = capabilities['experimental'];
  if (isRecord(experimental) && Object.hasOwn(experimental, EXTENSION)) {
    faults.push({
      code: 'extension-experimental',
      message: `the extension is declared in "experimental", where clients do not look for it`,
      hint: `declare it in "extensions": { "${EXTENSION}": {} }`,
    });
  }
  if (settings === undefined) return { isDeclared: false, directoryRead: false, faults };
  if (!isRecord(capabilities['resources'])) {
    faults.push({
      code: 'resources-undeclared',
      message: 'the capability "resources" is not declared, and the files of skills are resources',
    });
  }
  const setting = isRecord(settings) ? settings['directoryRead'] : undefined;
  if (!isRecord(settings)) {
    faults.push({
      code: 'extension-settings',
      message: `the settings of the extension are ${showValue(settings)}, not an object`,
    });
  } else if (setting !== undefined && typeof setting !== 'boolean') {
    faults.push({ code: 'extension-settings', message: `"directoryRead" is ${showValue(setting)}, not true or false` });
  }
  return { isDeclared: true, directoryRead: setting === true, faults };
}

/** What is said of a server that does not declare the extension. */
export function describeMissing(isAnswering: boolean): Fault {
  const message = isAnswering
    ? 'skills/list is answered, and the extension is not declared, so no client asks'
    : 'the server does not declare the extension, and does not answer skills/list';
  return {
    code: 'extension-missing',
    message,
    hint: `declare "extensions": { "${EXTENSION}": {} } in its capabilities`,
  };
}
