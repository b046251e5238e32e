// Stands in for the SDK's JSON Schema validator in the bundled command: no tool of ours takes a schema that would have to be compiled,
// and the SDK would bring Ajv along, which costs more at each start than judging the skills.
export { default as process } from 'node:process';

export class DefaultJsonSchemaValidator {
  getValidator() {
    throw new Error('the command validates no JSON Schema');
  }
}
