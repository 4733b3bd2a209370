/** One field of a form, made from a property of a JSON schema. An empty field stands for the default. */
import type { Property } from '../../src/options/index.ts';
import { typed as typedForm } from './format.ts';

export interface FieldProps {
  name: string;
  property: Property;
  /** What holds if nothing is typed: the default, or a preset's value. */
  base: Property['default'];
  fromPreset: boolean;
  typed: string;
  onTyped: (text: string) => void;
}

export function Field({ name, property, base, fromPreset, typed, onTyped }: FieldProps) {
  const usual = typedForm(base);
  const problem = problemWith(property, typed);
  const isChanged = typed.trim() !== '' && typed.trim() !== usual;
  const id = `field-${name}`;
  return (
    <div class={isChanged ? 'field changed' : 'field'}>
      <label for={id}>{name}</label>
      {choicesOf(property) ? (
        <select
          id={id}
          value={typed || usual}
          onChange={(event) => onTyped(event.currentTarget.value)}
          aria-describedby={`${id}-about`}
        >
          {choicesOf(property)?.map((choice) => (
            <option key={choice} value={choice}>
              {choice}
            </option>
          ))}
        </select>
      ) : (
        <input
          id={id}
          type="text"
          inputMode={property.type === 'integer' ? 'numeric' : 'text'}
          placeholder={usual}
          value={typed}
          aria-invalid={problem !== undefined}
          aria-describedby={`${id}-about`}
          onInput={(event) => onTyped(event.currentTarget.value)}
        />
      )}
      <small class={problem ? 'problem' : 'soft'} id={`${id}-about`}>
        {problem ?? property.description}
        {!problem && fromPreset && ` (preset: ${usual})`}
      </small>
    </div>
  );
}

function choicesOf({ enum: choices, type }: Property): string[] | undefined {
  return type === 'boolean' ? ['true', 'false'] : choices;
}

/** The settings that were typed and differ from what holds anyway, as `--set` takes them. */
export function changedSettings(
  properties: Record<string, Property>,
  preset: Record<string, Property['default']>,
  typed: Record<string, string>,
): string[] {
  return Object.keys(properties).flatMap((name) => {
    const text = typed[name]?.trim() ?? '';
    return text === '' || text === typedForm(preset[name] ?? properties[name].default) ? [] : [`${name}=${text}`];
  });
}

/** What is wrong with a typed value; undefined if nothing is, as far as a page can tell. */
export function problemWith({ type, anyOf, minimum, maximum }: Property, typed: string): string | undefined {
  const text = typed.trim();
  if (text === '') return undefined;
  const plain = anyOf?.find((one) => one.type === 'number');
  const kind = plain ? 'number' : type;
  if (kind !== 'number' && kind !== 'integer') return undefined;
  // A schedule is for the server to read.
  if (plain && /^[a-z]+(\(.*\)|:.*)$/i.test(text)) return undefined;
  const value = Number(text);
  if (!Number.isFinite(value)) return `A number${plain ? ', or a schedule such as linear(0,4,10000)' : ''}, please.`;
  if (kind === 'integer' && !Number.isInteger(value)) return 'A whole number, please.';
  const low = plain?.minimum ?? minimum;
  const high = plain?.maximum ?? maximum;
  if (low !== undefined && value < low) return `At least ${low}.`;
  if (high !== undefined && value > high) return `At most ${high}.`;
  return undefined;
}
