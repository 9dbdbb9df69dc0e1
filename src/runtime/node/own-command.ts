export { compileModule } from '../platform/own-command.ts'
