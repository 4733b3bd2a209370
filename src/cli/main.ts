#!/usr/bin/env node
/** The command line: reads a call, carries it out, and tells what is wrong with it. */
import { type Command, CommanderError } from 'commander';
import { nearest, UntangleError } from '../errors.ts';
import { untangleProgram } from './program.ts';
import { tellError } from './terminal.ts';

const program = untangleProgram();

/** The command that found a call wrong. */
let called = program;
for (const command of withCommands(program))
  command
    .exitOverride((error) => {
      called = command;
      throw error;
    })
    .configureOutput({ writeErr: () => {} });

// Whoever reads the output may stop reading, as `head` does. Results are then not wanted any more; work that tells how it goes is.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0);
  throw error;
});
process.stderr.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});

try {
  await program.parseAsync();
} catch (error) {
  const asJson = process.argv.includes('--json');
  if (!(error instanceof CommanderError))
    process.exitCode = tellError(error, { debug: program.opts().debug === true, asJson });
  else if (error.exitCode !== 0) {
    process.exitCode = 2;
    if (error.code === 'commander.help') called.outputHelp({ error: false });
    else tellError(wrongCall(error), { asJson });
  }
}

/** A call that does not parse, as a sentence with the place of its help. */
function wrongCall({ message }: CommanderError): UntangleError {
  const meant = /\(Did you mean (.*)\?\)/.exec(message)?.[1];
  const sentence = message
    .replace(/^error: /, '')
    .replace(/\n\(Did you mean .*\)/, '')
    .replace(/\.?$/, '.')
    .replace(/^./, (letter) => letter.toUpperCase());
  const given = /unknown command '([^']+)'/.exec(message)?.[1];
  const names = called.commands.map((command) => command.name());
  const near = given === undefined ? undefined : nearest(given, names);
  const call = wordsOf(called);
  return new UntangleError(sentence, {
    kind: 'call',
    hint:
      near !== undefined
        ? `Did you mean “${call} ${near}”?`
        : `${meant === undefined ? '' : `Did you mean “${meant}”? `}See “${call} --help”.`,
  });
}

function withCommands(command: Command): Command[] {
  return [command, ...command.commands.flatMap(withCommands)];
}

/** How a command is called. @example wordsOf(preview) // 'untangle data preview' */
function wordsOf(command: Command): string {
  return command.parent === null ? command.name() : `${wordsOf(command.parent)} ${command.name()}`;
}
