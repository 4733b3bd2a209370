/** What settings say about themselves: as a JSON schema, from which forms and tables are made, and in words. */
import { z } from 'zod';
import type { Option, Options, StoredValue } from './options.ts';

/** An option as the JSON schema of its stored values tells it. */
export interface Property {
  title?: string;
  description?: string;
  default?: StoredValue;
  type?: 'number' | 'integer' | 'boolean' | 'string' | 'array' | 'object' | 'null';
  enum?: string[];
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  pattern?: string;
  minItems?: number;
  items?: Property;
  /** A number or a schedule; or what it is and null. */
  anyOf?: Property[];
}

export interface ObjectSchema {
  $schema: string;
  type: 'object';
  properties: Record<string, Property>;
  additionalProperties: boolean;
}

/** The options as a JSON schema, from which a form can be made. */
export function jsonSchemaOf(schema: Options): ObjectSchema {
  const { $schema = '', properties = {} } = z.toJSONSchema(z.object(schema), {
    io: 'input',
    override({ jsonSchema }) {
      // Every whole number is a safe one; that is not worth saying.
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
    },
  });
  // No option is declared but by the functions of `options.ts`, and this is what they come to.
  return { $schema, type: 'object', properties: properties as Record<string, Property>, additionalProperties: false };
}

export function propertyOf(option: Option): Property {
  return jsonSchemaOf({ option }).properties.option;
}

/** Whether an option's values are schedules. */
export function isSchedulable(option: Option): boolean {
  return propertyOf(option).anyOf?.some(({ pattern }) => pattern !== undefined) ?? false;
}

/** What an option takes, in words. */
export function expectation(option: Option): string {
  return words(propertyOf(option));
}

function words(property: Property): string {
  const { type, enum: choices, anyOf, items, pattern } = property;
  if (anyOf) return anyOf.map(words).join(anyOf.some((one) => one.pattern) ? ', or ' : ' or ');
  if (choices) return `one of ${choices.join(', ')}`;
  switch (type) {
    case 'number':
      return `a number${rangeText(property)}`;
    case 'integer':
      return `a whole number${rangeText(property)}`;
    case 'boolean':
      return 'true or false';
    case 'array': {
      const what = items?.type === 'string' ? 'texts' : items?.type === 'integer' ? 'whole numbers' : 'numbers';
      const example = `${property.default ?? ''}` || (what === 'texts' ? 'a,b' : '1,2');
      return `a list of ${what}${rangeText(items ?? {})}, such as ${example}`;
    }
    case 'object':
      return 'texts by name';
    case 'null':
      return 'null';
    default:
      return pattern ? 'a schedule such as linear(0,1,1000)' : 'text';
  }
}

function rangeText({ minimum, maximum, exclusiveMinimum }: Property): string {
  if (exclusiveMinimum !== undefined) return ` above ${exclusiveMinimum}`;
  if (minimum === undefined) return maximum === undefined ? '' : ` up to ${maximum}`;
  return maximum === undefined ? ` from ${minimum} on` : ` from ${minimum} to ${maximum}`;
}
