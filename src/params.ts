export type { ParamsOf } from './internal/types/params.ts'
