/**
 * Types of zod 3 for the issues of a failed parse, one for each code.
 *
 * @module
 */
import type { ErrorParams, Issue, IssueData } from '../../internal/z/issue.ts'

type IssueWithCode<Code extends Issue['code']> = Extract<Issue, { code: Code }>

/** An issue with the code `invalid_type`. */
export type ZodInvalidTypeIssue = IssueWithCode<'invalid_type'>
/** An issue with the code `invalid_literal`. */
export type ZodInvalidLiteralIssue = IssueWithCode<'invalid_literal'>
/** An issue with the code `unrecognized_keys`. */
export type ZodUnrecognizedKeysIssue = IssueWithCode<'unrecognized_keys'>
/** An issue with the code `invalid_union`. */
export type ZodInvalidUnionIssue = IssueWithCode<'invalid_union'>
/** An issue with the code `invalid_union_discriminator`. */
export type ZodInvalidUnionDiscriminatorIssue = IssueWithCode<'invalid_union_discriminator'>
/** An issue with the code `invalid_enum_value`. */
export type ZodInvalidEnumValueIssue = IssueWithCode<'invalid_enum_value'>
/** An issue with the code `invalid_arguments`. */
export type ZodInvalidArgumentsIssue = IssueWithCode<'invalid_arguments'>
/** An issue with the code `invalid_return_type`. */
export type ZodInvalidReturnTypeIssue = IssueWithCode<'invalid_return_type'>
/** An issue with the code `invalid_string`. */
export type ZodInvalidStringIssue = IssueWithCode<'invalid_string'>
/** An issue with the code `too_small`. */
export type ZodTooSmallIssue = IssueWithCode<'too_small'>
/** An issue with the code `too_big`. */
export type ZodTooBigIssue = IssueWithCode<'too_big'>
/** An issue with the code `not_multiple_of`. */
export type ZodNotMultipleOfIssue = IssueWithCode<'not_multiple_of'>
/** An issue with the code `custom`. */
export type ZodCustomIssue = IssueWithCode<'custom'>
/** An issue with the code `invalid_date`. */
export type ZodInvalidDateIssue = IssueWithCode<'invalid_date'>
/** An issue with the code `invalid_intersection_types`. */
export type ZodInvalidIntersectionTypesIssue = IssueWithCode<'invalid_intersection_types'>
/** An issue with the code `not_finite`. */
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
