import type { Definition, Meta } from './definition.ts'

/** What `meta` and `describe` said about a schema, and its parameters. */
export const metaOf = ({ meta, description, params }: Definition): Meta | undefined => {
  const told = description ?? params?.description
  return told === undefined ? meta : { ...meta, description: told }
}
