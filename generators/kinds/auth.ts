import { parseFields } from '../fields/fields.ts'
import { type RelatedModel, relatedModel } from '../fields/relations.ts'
import { modelPath, type Name } from '../names/names.ts'
import { wireRoutes } from '../project/routes-file.ts'
import type { PlannedFile } from '../project/write.ts'
import { renderTemplate } from '../render.ts'
import { assertOwnTables, ownFields, registeredFields } from './auth-account.ts'
import { commonVariables, type Kind, type KindInput, testDatabase } from './kind.ts'
import { identifier, migrationPath, tableMigration } from './migration.ts'
import { model } from './model.ts'

/**
 * Sign-in for a model: registration, login, logout and password reset with a one-time token, with their routes and
 * test.
 */
export const auth: Kind = {
  name: 'auth',
  suffix: 'Auth',
  templates: [
    ...['auth.model', 'auth.migration', 'auth.mail', 'auth.middleware', 'auth.routes', 'auth.test'],
    ...['sign-in', 'test-database'],
  ],
  plan: (input) => {
    const { root } = input
    const account = relatedModel(root, modelPath(input.name))
    const variables = authVariables(input, account)
    const { inside, name, kebab } = variables
    assertOwnTables(input, account, variables)
    const file = (path: string, template: string): PlannedFile => ({
      path,
      contents: renderTemplate(root, template, variables),
    })
    const steps = account.exists ? [] : accountFiles(input)
    const routes = `src/app/routes/${inside}${kebab}-auth.ts`
    const wiring = wireRoutes(root, routes, `${input.name.camel}AuthRoutes`, input.name.folders, '()')
    const files = [
      ...steps,
      file(`src/app/models/${inside}${name}Credential.ts`, 'auth.model'),
      file(migrationPath(input, `create_${variables.credentials}_table`, steps), 'auth.migration'),
      file(variables.mailFile, 'auth.mail'),
      file(authMiddleware(input.name), 'auth.middleware'),
      file(routes, 'auth.routes'),
      ...testDatabase(input),
      file(`test/${inside}sign-in-${kebab}.ts`, 'sign-in'),
      file(`test/${inside}${kebab}-auth.test.ts`, 'auth.test'),
      ...wiring.files,
    ]
    const { jwt, secret, mailFile, registered } = variables
    const advice = [
      ...wiring.advice,
      `A client that registers may set: ${['email', ...registered.map((field) => field.name)].join(', ')}.`,
      `Before production: set ${secret} to at least 32 random bytes, and send the mail in ${mailFile}.`,
      ...(jwt ? ['The tokens need the package jose: npm install jose'] : []),
      `Behind a proxy, all clients share one limit. Set the number of proxies in ${routes}: clientKey({ trustProxy: 1 }).`,
      `A route for signed-in users, and one that only knows who they are:`,
      `  .get('/path', require${name}, handler)`,
      `  .get('/path', optional${name}, handler)`,
    ]
    return { files, advice }
  },
}

/** Where the guards of a model are. */
export const authMiddleware = ({ inside, kebab }: Name): string => `src/app/middleware/${inside}${kebab}-auth.ts`

/** The files of the model and its table, for a project that does not have them yet. */
const accountFiles = (input: KindInput): readonly PlannedFile[] => {
  const fields = [...parseFields('email:email:unique'), ...ownFields(input.typed)]
  const account = { ...input, fields, table: input.name.table }
  return [...model.plan(account).files, tableMigration(account)]
}

const authVariables = (input: KindInput, account: RelatedModel) => {
  const common = commonVariables({ ...input, table: account.table })
  const { name, snake, inside, folders } = common
  // The folder is part of it, so that models of the same name in other folders do not share tables and cookies.
  const prefix = [...folders.map((folder) => folder.replaceAll('-', '_')), snake].join('_')
  const credentials = `${prefix}_credentials`
  const registered = registeredFields(input, account)
  const jwt = input.flags.has('jwt')
  return {
    ...common,
    registered,
    uniques: registered.filter(({ unique }) => unique),
    jwt,
    secret: jwt ? 'JWT_SECRET' : 'SESSION_SECRET',
    // The names of deleted accounts are taken too.
    withTrashed: input.flags.has('soft-delete') ? '.withTrashed()' : '',
    prefix,
    credentials,
    sessions: `${prefix}_sessions`,
    mailFile: `src/app/services/${inside}${name}Mail.ts`,
    model: modelPath(input.name),
    top: '../'.repeat(folders.length + 1),
    helper: '../'.repeat(folders.length) || './',
    constraint: (ending: string) => identifier(`${credentials}_${ending}`),
  }
}
