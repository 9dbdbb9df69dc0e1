import type { ServeRuntime } from '../serve-contract.ts'
import { serve } from './serve.ts'

/** There is nothing to load. */
export const loadServe = async (): Promise<ServeRuntime> => ({ serve })
