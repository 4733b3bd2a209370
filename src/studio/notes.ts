/** What people write to a run: a note, and tags by which the list is filtered; kept as `notes.json` in the run. */
import { join } from 'node:path';
import { z } from 'zod';
import { defined } from '../defined.ts';
import { readJson, writeAtomically } from '../runs/index.ts';

const notesSchema = z.looseObject({
  format: z.int().min(1).max(1),
  note: z.string().max(4000).optional(),
  tags: z.array(z.string().min(1).max(60)).max(40).default([]),
});

export interface Notes {
  note?: string;
  tags: string[];
}

export const noNotes: Notes = { tags: [] };

export const notesRequest = z.strictObject({
  note: z.string().max(4000, 'a note has at most 4000 characters').optional(),
  tags: z.array(z.string().max(60, 'a tag has at most 60 characters')).max(40, 'a run has at most 40 tags').optional(),
});

/** What was written to a run. */
export async function readNotes(folder: string): Promise<Notes> {
  const { note, tags } = (await readJson(join(folder, 'notes.json'), notesSchema)) ?? noNotes;
  return { tags, ...defined({ note }) };
}

/** Writes note or tags anew; what is not given stays. */
export async function writeNotes(folder: string, change: z.infer<typeof notesRequest>): Promise<Notes> {
  const before = await readNotes(folder);
  const note = (change.note ?? before.note ?? '').trim();
  const tags = [...new Set((change.tags ?? before.tags).map((tag) => tag.trim()).filter(Boolean))];
  const notes: Notes = { tags, ...(note !== '' && { note }) };
  await writeAtomically(join(folder, 'notes.json'), `${JSON.stringify({ format: 1, ...notes }, null, 2)}\n`);
  return notes;
}
