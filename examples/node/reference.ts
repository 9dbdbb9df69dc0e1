import type { App } from 'sluice'
import { apiReference } from 'sluice/openapi/reference'

/** Serve the page of the API at /reference, if the package that it is made of is installed. */
export const serveReference = (app: App): void => {
  try {
    apiReference({ title: 'Todos' })(app)
  } catch {
    console.log('No /reference: npm install swagger-ui-dist')
  }
}
