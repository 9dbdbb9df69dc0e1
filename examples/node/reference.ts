import type { App } from 'sluice'
import { apiReference } from 'sluice/openapi/reference'

/** Serve the API reference at /reference, if its package is installed. */
export const serveReference = (app: App): void => {
  try {
    apiReference({ title: 'Todos' })(app)
  } catch {
    console.log('No /reference: npm install swagger-ui-dist')
  }
}
