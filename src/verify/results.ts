// A report for code scanning (SARIF 2.1.0).
import { compareText } from '../problems.ts';
import { formatRun, toRule, toSarifText } from '../report/sarif.ts';
import { CHECKS, type CheckCode } from './checks.ts';
import { textDigestOf } from './content.ts';
import { type PrintOptions, severityOf, toPlace } from './print.ts';
import type { FoundFault, VerifyReport } from './verification.ts';

/** One run with the rules that occur and a result for each problem. Its place is `SKILL_URI#FILE`, or the target. */
export function formatResults({ problems }: VerifyReport, options: PrintOptions, version: string): string {
  const codes = [...new Set(problems.map(({ code }) => code))].sort(compareText);
  const rules = codes.map((code) => toRule(code, CHECKS[code], 'docs/verify.md'));
  return formatRun(
    rules,
    problems.map((fault) => toResult(fault, codes, options)),
    version,
  );
}

function toResult(fault: FoundFault, codes: readonly CheckCode[], { isStrict, target }: PrintOptions): object {
  const { code } = fault;
  const place = toPlace(fault, target);
  return {
    ruleId: code,
    ruleIndex: codes.indexOf(code),
    level: severityOf(fault, isStrict),
    message: { text: toSarifText(fault) },
    locations: [
      {
        physicalLocation: { artifactLocation: { uri: toReference(place) }, region: { startLine: 1 } },
        logicalLocations: [{ fullyQualifiedName: place }],
      },
    ],
    partialFingerprints: { 'verifyFault/v1': textDigestOf(JSON.stringify([code, place])).slice(0, 32) },
  };
}

/** A place as a URI reference, whatever the server wrote. */
function toReference(place: string): string {
  const [uri = '', ...rest] = place.replace(/\p{Cs}/gu, '\ufffd').split('#');
  const encode = (text: string) =>
    encodeURI(text)
      .replace(/%25(?=[0-9A-Fa-f]{2})/g, '%')
      .replaceAll('#', '%23');
  return rest.length === 0 ? encode(uri) : `${encode(uri)}#${encode(rest.join('#'))}`;
}
