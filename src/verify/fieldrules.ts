import { isRecord } from '../catalog/foreign.ts';
import { countCharacters, formatNumber } from '../text/count.ts';
import { isName } from '../text/names.ts';
import type { CheckCode } from './checks.ts';
import { showValue } from './difference.ts';

const DESCRIPTION_LENGTH = 1024;
const COMPATIBILITY_LENGTH = 500;
const RESERVED = 'io.modelcontextprotocol/';

type Add = (code: CheckCode, message: string) => void;

/** The field rules of Agent Skills, for a frontmatter as JSON. */
export function judgeFields(frontmatter: Readonly<Record<string, unknown>>, add: Add): void {
  const { name, description, license, compatibility, metadata, 'allowed-tools': tools } = frontmatter;
  if (typeof name !== 'string' || !isName(name)) {
    add('name-invalid', `the name is ${showValue(name)}, not 1 to 64 of a-z, 0-9 and single hyphens between them`);
  }
  if (!isFilled(description, DESCRIPTION_LENGTH)) {
    add(
      'description-invalid',
      `the description is ${describeLength(description)}, not a string of 1 to 1,024 characters`,
    );
  }
  if (license !== undefined && !isFilled(license)) {
    add('license-invalid', `the license is ${showValue(license)}, not a non-empty string`);
  }
  if (compatibility !== undefined && !isFilled(compatibility, COMPATIBILITY_LENGTH)) {
    add(
      'compatibility-length',
      `compatibility is ${describeLength(compatibility)}, not a string of 1 to 500 characters`,
    );
  }
  if (tools !== undefined && !isFilled(tools)) {
    add('allowed-tools-invalid', `allowed-tools is ${showValue(tools)}, not a space-separated string`);
  }
  if (metadata !== undefined) judgeMetadata(metadata, add);
}

function judgeMetadata(metadata: unknown, add: Add): void {
  if (!isRecord(metadata)) {
    add('metadata-invalid', `metadata is ${showValue(metadata)}, not a mapping`);
    return;
  }
  const wrong = Object.entries(metadata).find(([, value]) => typeof value !== 'string');
  if (wrong !== undefined) {
    add('metadata-invalid', `metadata.${wrong[0]} is ${showValue(wrong[1])}, not a string`);
  }
  const reserved = Object.keys(metadata).find((key) => key.startsWith(RESERVED));
  if (reserved !== undefined) {
    add('metadata-reserved', `the key ${showValue(reserved)} begins with "${RESERVED}", which is reserved`);
  }
}

function isFilled(value: unknown, most = Number.POSITIVE_INFINITY): boolean {
  return typeof value === 'string' && value.trim() !== '' && (value.length <= most || countCharacters(value) <= most);
}

function describeLength(value: unknown): string {
  if (typeof value !== 'string' || value.trim() === '') return showValue(value);
  return `a string of ${formatNumber(countCharacters(value))} characters`;
}
