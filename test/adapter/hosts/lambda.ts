import { toLambdaHandler } from '../../../src/adapter/aws-lambda.ts'
import { app } from './app.ts'

export const handler = toLambdaHandler(app)
