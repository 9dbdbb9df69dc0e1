import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Field } from '../fields/fields.ts'
import type { UniqueKeys } from '../fields/unique-keys.ts'
import { type Name, toPascal } from '../names/names.ts'
import type { FilePlan, PlannedFile } from '../project/write.ts'
import { renderTemplate } from '../render.ts'

/** The input of a kind. */
export interface KindInput {
  /** Folder of the project, absolute. */
  readonly root: string
  readonly name: Name
  /** Columns of the command line, or those of the existing model. */
  readonly fields: readonly Field[]
  /** True if the project has a model of that name, made by `Model.define`. */
  readonly isDefined: boolean
  /** Columns of the command line only. */
  readonly typed: readonly Field[]
  /** Names of fields that are unique together, of the command line or of the existing model. */
  readonly unique: UniqueKeys
  /** `--key`: the column that paths name a record by. @default 'id' */
  readonly key?: string | undefined
  /** `--under`: the model whose path a resource is below. */
  readonly under?: string | undefined
  /** `--owner`: the model of the users who have records of their own. */
  readonly owner?: string | undefined
  /** Switches of the command line that were set. */
  readonly flags: ReadonlySet<string>
  /** `--table`, or the plural of the name. */
  readonly table: string
  /** `--id` of the validator, else int if there is a model, else uuid. */
  readonly id: 'uuid' | 'int'
  /** Time in the name of a migration. */
  readonly now: Date
}

/** Something that can be generated. */
export interface Kind {
  readonly name: string
  /** Word that is appended to class names, unless the name already ends with it. */
  readonly suffix: string
  /** Names of the templates that it may use. A project's file of that name replaces the bundled one. */
  readonly templates: readonly string[]
  /** The files, and what is left to do. Except for `resource`, that is not printed if the first file was kept. */
  readonly plan: (input: KindInput) => FilePlan
}

/** Variables of every template, including custom ones. They are documented in docs/cli.md, and stable. */
export interface CommonVariables {
  /** `BlogPost` */
  readonly name: string
  /** `blogPost` */
  readonly variable: string
  /** `blogPosts` */
  readonly plural: string
  /** `blog_post` */
  readonly snake: string
  /** `blog-post` */
  readonly kebab: string
  /** `Blog post`, for the beginning of a sentence. */
  readonly title: string
  /** `a blog post`, in the middle of a sentence. */
  readonly article: string
  /** `blog posts`, in the middle of a sentence. */
  readonly label: string
  /** `['admin']` of `admin/BlogPost`. */
  readonly folders: readonly string[]
  /** `/admin/blog-posts` */
  readonly path: string
  /** `blog_posts`, or the value of `--table`. */
  readonly table: string
  readonly fields: readonly Field[]
  /** Relative path from a file of this name to `src/app`: `../`, and one more for each folder. */
  readonly up: string
  /** Folders as the beginning of a path: `admin/`, or empty. */
  readonly inside: string
  /** `AdminBlogPost`: its name in the document of the API, if that is not the name of the class; else empty. */
  readonly schemaName: string
}

/** The variables of one run. */
export const commonVariables = ({ name, fields, table }: KindInput): CommonVariables => ({
  name: name.pascal,
  variable: name.camel,
  plural: name.plural,
  snake: name.snake,
  kebab: name.kebab,
  title: name.title,
  article: `${AN.test(name.title) ? 'an' : 'a'} ${name.title.toLowerCase()}`,
  label: name.table.replaceAll('_', ' '),
  folders: name.folders,
  path: name.path,
  table,
  fields,
  up: '../'.repeat(name.folders.length + 1),
  inside: name.inside,
  schemaName: schemaName(name) === name.pascal ? '' : schemaName(name),
})

/** Query parameters that pagination uses. */
const PAGE_NAMES: readonly string[] = ['page', 'limit', 'sort']

/** The columns that a list can be filtered by: their values are short. The owner of a record is in its scope. */
export const filtersOf = (fields: readonly Field[]): readonly string[] =>
  fields
    .filter(
      ({ name, filter, visibility, relation }) =>
        filter && !PAGE_NAMES.includes(name) && visibility !== 'hidden' && !(visibility && relation),
    )
    .map(({ name }) => name)

/** Whether a new record may be refused with 409, and `, 409` if a change of a record may be. */
export const conflictsOf = ({ unique, fields, flags }: KindInput): { isUnique: boolean; conflict: string } => {
  const isUnique = unique.length > 0 || fields.some((field) => field.unique)
  return { isUnique, conflict: isUnique || flags.has('lock') ? ', 409' : '' }
}

/** `AdminBlogPost`: the name of a model in the document of the API, where models in folders may share a name. */
export const schemaName = ({ folders, pascal }: Name): string =>
  toPascal([...folders.flatMap((folder) => folder.split('-')), pascal])

/** The helper that gives tests their database, which comes with the first kind that needs it. */
export const testDatabase = ({ root }: KindInput): readonly PlannedFile[] => {
  const path = 'test/database.ts'
  return existsSync(join(root, path)) ? [] : [{ path, contents: renderTemplate(root, 'test-database', {}) }]
}

/** Words that begin with a vowel sound. `user`, `unit` and `euro` do not. */
const AN = /^(?:[aio]|e(?!u)|u(?!s[aeiou]|ni|tens|rl))/i
