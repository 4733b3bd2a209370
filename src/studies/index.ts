/** The papers’ tables and figures as data, one runner for all of them, and their reports. */
export { type AugmentationRow, augmentationTest } from './augmentation.ts';
export type { ClaimComparison, ClaimResult, ClaimVerdict } from './claims.ts';
export { type StudyFiles, studyFiles } from './files.ts';
export { foundPresets } from './found.ts';
export { recordOf, type StudyRecord, writeRecord } from './record.ts';
export { studies, studyNamed } from './registry.ts';
export { departuresOf, groundsOf, seedsText } from './report.ts';
export { type ArmResult, type MeanCell, meanOf, type SeedResult, type StudyReport } from './results.ts';
export { runStudy, type StudyOptions, type StudyResults } from './run-study.ts';
export {
  type Arm,
  type BestOf,
  type Budget,
  type Claim,
  type Column,
  type Departure,
  hasTheirs,
  type Study,
  type StudyBudget,
  type StudyFigure,
  type Theirs,
  type TradeOff,
} from './study.ts';
export { writeStudyReport } from './write-report.ts';
