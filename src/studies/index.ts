export { type AugmentationRow, augmentationTest } from './augmentation.ts';
export { studies, studyNamed } from './registry.ts';
export { htmlReport, markdownReport } from './report.ts';
export type { ArmResult, Cell, ClaimResult, SeedResult, StudyReport } from './results.ts';
export { runStudy, type StudyOptions, type StudyResults } from './run-study.ts';
export type { Arm, Budget, Claim, Column, Figure, Study, StudyBudget, Theirs, TradeOff } from './study.ts';
export { drawTradeOff } from './trade-off.ts';
