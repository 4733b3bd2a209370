/** The run folder: written whole or not at all, read with a sentence on what is damaged, compared. */

export {
  createFolder,
  type FileBytes,
  isMissing,
  readBounded,
  recoverFolder,
  remove,
  replaceFolder,
  safeJoin,
  sha256,
  temporaryBeside,
  writeAtomically,
  writeToDisk,
} from '../disk.ts';
export {
  type Checkpoint,
  type CheckpointState,
  type FoundCheckpoint,
  readCheckpoint,
  recoverCheckpoints,
  writeCheckpoint,
} from './checkpoint.ts';
export { type ComparedValue, type Comparison, compareRuns, type Row, type Section } from './compare.ts';
export { type ConfigFile, readConfigFile } from './config.ts';
export { type Evaluation, readEvaluation, writeEvaluation } from './evaluation.ts';
export { checkJson, type Json, readJson, toJson, writeJson } from './json.ts';
export { followLog, type LogLine, type LogWriter, lastLine, openLog, parseLine, readLog } from './log.ts';
export { theseVersions, thisMachine } from './machine.ts';
export {
  type CheckedFile,
  checkFiles,
  type FileState,
  type ListedName,
  listAll,
  listAs,
  refuseChanged,
} from './manifest.ts';
export {
  type ClassVariable,
  classVariables,
  type ModelFile,
  type ModelFiles,
  readModelAsIs,
  readModelFile,
  readModelFiles,
  writeModel,
} from './model.ts';
export {
  checkLonger,
  createRun,
  decidesHash,
  findRun,
  findRunFolder,
  inspectRun,
  lengthenRun,
  listRuns,
  openRun,
  type Run,
  type RunFile,
  type RunSettings,
  type RunState,
  type RunSummary,
  readRunFile,
} from './run.ts';
export { decodeSafetensors, encodeSafetensors, type StoredTensor, type TensorFile } from './safetensors.ts';
export { type SeedSpread, seedGroups, spreadOf } from './seeds.ts';
export { claimRun, isRunning, type RunClaim, readStatus, type Status } from './status.ts';
export { type Verified, verifyRun } from './verify.ts';
