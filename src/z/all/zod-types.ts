/**
 * Types of zod 3 that helper code names. They are types alone, so a bundle has nothing of them.
 *
 * @module
 */
import type { Result } from '../../internal/z/core.ts'
import type { AnyCore } from '../../internal/z/definition.ts'
import type { ErrorMapContext, Flattened, Formatted, Issue } from '../../internal/z/issue.ts'
import type { UnknownKeys } from '../../internal/z/object-types.ts'

export type { Primitive } from '../literal.ts'
export type { EnumLike } from '../native-enum.ts'

/** In `ZodType<Out, ZodTypeDef, In>` it stands where zod 3 has the definition of a schema. */
// any: alone in the second place it is the input, and every schema has to fit.
export type ZodTypeDef = any

/** What `safeParse` returns. */
export type SafeParseReturnType<In, Out> = Result<Out, In>

/** What `safeParse` returns for a value that fits. */
export type SafeParseSuccess<Out> = Extract<Result<Out>, { success: true }>

/** What `safeParse` returns for a value that does not fit. */
export type SafeParseError<In> = Extract<Result<unknown, In>, { success: false }>

/** What `flatten()` returns for the errors of a schema. */
export type inferFlattenedErrors<T extends AnyCore, Text = string> = Flattened<T['_input'], Text>

/** What `format()` returns for the errors of a schema. */
export type inferFormattedError<T extends AnyCore, Text = string> = Formatted<T['_input'], Text>

export type { ErrorMapContext as ErrorMapCtx, UnknownKeys as UnknownKeysParam }

type Coded<Code extends Issue['code']> = Extract<Issue, { code: Code }>

export type ZodInvalidTypeIssue = Coded<'invalid_type'>
export type ZodInvalidLiteralIssue = Coded<'invalid_literal'>
export type ZodUnrecognizedKeysIssue = Coded<'unrecognized_keys'>
export type ZodInvalidUnionIssue = Coded<'invalid_union'>
export type ZodInvalidUnionDiscriminatorIssue = Coded<'invalid_union_discriminator'>
export type ZodInvalidEnumValueIssue = Coded<'invalid_enum_value'>
export type ZodInvalidArgumentsIssue = Coded<'invalid_arguments'>
export type ZodInvalidReturnTypeIssue = Coded<'invalid_return_type'>
export type ZodInvalidStringIssue = Coded<'invalid_string'>
export type ZodTooSmallIssue = Coded<'too_small'>
export type ZodTooBigIssue = Coded<'too_big'>
export type ZodNotMultipleOfIssue = Coded<'not_multiple_of'>
export type ZodCustomIssue = Coded<'custom'>
