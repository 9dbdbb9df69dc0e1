import { toVercel } from '../../../src/adapter/vercel.ts'
import { app } from './app.ts'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = toVercel(app)
