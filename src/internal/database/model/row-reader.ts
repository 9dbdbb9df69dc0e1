import type { KyselyPlugin, PluginTransformResultArgs, QueryResult, RootOperationNode, UnknownRow } from 'kysely'
import type { DialectName } from '../url.ts'
import { readRows, type Table } from './table.ts'

/** A plugin that converts the cells of declared columns to model values: dates, booleans, JSON. */
export const rowReader = (table: Table, dialect: DialectName): KyselyPlugin => ({
  transformQuery: ({ node }): RootOperationNode => node,
  transformResult: async ({ result }: PluginTransformResultArgs): Promise<QueryResult<UnknownRow>> => ({
    ...result,
    rows: readRows(table, result.rows, dialect),
  }),
})
