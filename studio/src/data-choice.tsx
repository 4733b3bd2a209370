/** The part of the form that says which data: a dataset that is here, or a path; with a preview. */
import { useState } from 'preact/hooks';
import { api, type DatasetFacts, type MethodFacts } from './api.ts';
import type { Choices } from './start-request.ts';
import './choices.css';

type TextChoice = { [K in keyof Choices]: Choices[K] extends string ? K : never }[keyof Choices];

interface DataProps {
  datasets: DatasetFacts[];
  dataset: DatasetFacts | undefined;
  choices: Choices;
  choose: (change: Partial<Choices>) => void;
  needsBackground: boolean;
  /** What is wrong, by field. */
  problems: Partial<Record<keyof Choices, string>>;
  method: MethodFacts;
}

export function DataChoice({ datasets, dataset, choices, choose, needsBackground, problems, method }: DataProps) {
  const [isPath, setIsPath] = useState(false);
  const away = datasets.filter(({ here }) => !here);
  const text = (key: TextChoice, title: string, about: string, placeholder = '') => (
    <label class="field">
      <span>{title}</span>
      <input
        type="text"
        value={choices[key]}
        placeholder={placeholder}
        onInput={(event) => choose({ [key]: event.currentTarget.value })}
      />
      <small class={problems[key] ? 'problem' : 'soft'}>{problems[key] ?? about}</small>
    </label>
  );
  const tick = (key: 'crop' | 'grey', title: string) => (
    <label>
      <input
        type="checkbox"
        checked={choices[key]}
        onChange={(event) => choose({ [key]: event.currentTarget.checked })}
      />{' '}
      {title}
    </label>
  );
  return (
    <fieldset>
      <legend>Data</legend>
      <div class="choices" role="radiogroup" aria-label="Data">
        {datasets
          .filter(({ here }) => here)
          .map(({ name }) => (
            <label key={name} class={!isPath && choices.data === name ? 'choice on' : 'choice'}>
              <input
                class="hidden-visually"
                type="radio"
                name="data"
                checked={!isPath && choices.data === name}
                onChange={() => {
                  setIsPath(false);
                  choose({ data: name });
                }}
              />
              {name}
            </label>
          ))}
        <label class={isPath ? 'choice on' : 'choice'}>
          <input
            class="hidden-visually"
            type="radio"
            name="data"
            checked={isPath}
            onChange={() => {
              setIsPath(true);
              choose({ data: '' });
            }}
          />
          Your own …
        </label>
      </div>
      {isPath &&
        text(
          'data',
          'path',
          'A folder of pictures, a .csv, .parquet, .npy or .npz on the machine of the server.',
          'data/patients.csv',
        )}
      {!isPath && dataset && (
        <div class="preview">
          <Preview key={dataset.name} dataset={dataset} />
          <p class="small soft">
            {dataset.title}: {dataset.what}
          </p>
        </div>
      )}
      {needsBackground &&
        text(
          'background',
          'background',
          'A dataset’s name or a path: the set that lacks what is sought. May stay empty if a condition below chooses it from the same data.',
        )}
      <details open={needsBackground}>
        <summary>Only some of the items</summary>
        <div class="fields">
          {text('where', 'where', 'A condition on labels and factors.', 'shape = 2 and scale > 1')}
          {method.needs === 'target+background' &&
            text('backgroundWhere', 'background where', 'The same for the background.')}
        </div>
      </details>
      <details>
        <summary>How it is read</summary>
        <div class="fields">
          {text('size', 'size', 'Pictures are resized to so many pixels a side.', '64')}
          {text('label', 'label column', 'The column of a table that holds the classes.', 'class')}
          {text('exclude', 'leave out', 'Columns that the model is not to see, with commas between them.')}
        </div>
        <div class="row">
          {tick('crop', 'cut pictures to squares first')}
          {tick('grey', 'colour to grey')}
        </div>
      </details>
      {method.needs === 'few-labels' &&
        text('labels', 'labels', 'How many items’ labels the method may see; none if empty.', '100')}
      {away.length > 0 && (
        <details>
          <summary>{away.length} more datasets, whose files are not here</summary>
          <dl class="facts small">
            {away.map(({ name, what }) => [
              <dt key={`${name} t`}>{name}</dt>,
              <dd key={name} class="soft">
                {what}
              </dd>,
            ])}
          </dl>
          <p class="small soft">“untangle data show NAME” tells how to get one.</p>
        </details>
      )}
    </fieldset>
  );
}

function Preview({ dataset: { name, title } }: { dataset: DatasetFacts }) {
  const [failed, setFailed] = useState(false);
  if (failed) return <p class="small soft">There is no preview of {title}.</p>;
  return <img src={api.previewUrl(name)} alt={`Items of ${title}`} onError={() => setFailed(true)} />;
}
