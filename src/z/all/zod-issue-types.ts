/**
 * Types of zod 3 for the issues of a failed parse, one for each code.
 *
 * @module
 */
import type { ErrorParams, Issue, IssueData } from '../../internal/z/issue.ts'

type IssueWithCode<Code extends Issue['code']> = Extract<Issue, { code: Code }>

export type ZodInvalidTypeIssue = IssueWithCode<'invalid_type'>
export type ZodInvalidLiteralIssue = IssueWithCode<'invalid_literal'>
export type ZodUnrecognizedKeysIssue = IssueWithCode<'unrecognized_keys'>
export type ZodInvalidUnionIssue = IssueWithCode<'invalid_union'>
export type ZodInvalidUnionDiscriminatorIssue = IssueWithCode<'invalid_union_discriminator'>
export type ZodInvalidEnumValueIssue = IssueWithCode<'invalid_enum_value'>
export type ZodInvalidArgumentsIssue = IssueWithCode<'invalid_arguments'>
export type ZodInvalidReturnTypeIssue = IssueWithCode<'invalid_return_type'>
export type ZodInvalidStringIssue = IssueWithCode<'invalid_string'>
export type ZodTooSmallIssue = IssueWithCode<'too_small'>
export type ZodTooBigIssue = IssueWithCode<'too_big'>
export type ZodNotMultipleOfIssue = IssueWithCode<'not_multiple_of'>
export type ZodCustomIssue = IssueWithCode<'custom'>
export type ZodInvalidDateIssue = IssueWithCode<'invalid_date'>
export type ZodInvalidIntersectionTypesIssue = IssueWithCode<'invalid_intersection_types'>
export type ZodNotFiniteIssue = IssueWithCode<'not_finite'>
/** The properties of every issue. */
export type ZodIssueBase = Pick<Issue, 'path'> & { message?: string | undefined }
/** An issue before its message is made. */
export type ZodIssueOptionalMessage = IssueData & ZodIssueBase
/** The check of a string that failed: `email`, or `{ startsWith: "a" }`. */
export type StringValidation = ZodInvalidStringIssue['validation']
/** The properties of a custom issue that `superRefine` may set. */
export type CustomErrorParams = Partial<Omit<ZodCustomIssue, 'code'>>
/** Messages and error map of a schema: its second argument. */
export type ProcessedCreateParams = ErrorParams
