import { StringSchema } from '../string.ts'
import { limitOf } from './number.ts'

/** A schema of strings that tells which bounds and formats it has. */
export class ToldString extends StringSchema {
  /** The greatest of the lower bounds of the length. */
  get minLength(): number | null {
    return limitOf(this, 'min', Math.max)
  }

  /** The least of the upper bounds of the length. */
  get maxLength(): number | null {
    return limitOf(this, 'max', Math.min)
  }

  /** Does it have the check `email`. */
  get isEmail(): boolean {
    return has(this, 'email')
  }

  /** Does it have the check `url`. */
  get isURL(): boolean {
    return has(this, 'url')
  }

  /** Does it have the check `uuid`. */
  get isUUID(): boolean {
    return has(this, 'uuid')
  }

  /** Does it have the check `cuid`. */
  get isCUID(): boolean {
    return has(this, 'cuid')
  }

  /** Does it have the check `cuid2`. */
  get isCUID2(): boolean {
    return has(this, 'cuid2')
  }

  /** Does it have the check `ulid`. */
  get isULID(): boolean {
    return has(this, 'ulid')
  }

  /** Does it have the check `nanoid`. */
  get isNANOID(): boolean {
    return has(this, 'nanoid')
  }

  /** Does it have the check `ip`. */
  get isIP(): boolean {
    return has(this, 'ip')
  }

  /** Does it have the check `cidr`. */
  get isCIDR(): boolean {
    return has(this, 'cidr')
  }

  /** Does it have the check `base64`. */
  get isBase64(): boolean {
    return has(this, 'base64')
  }

  /** Does it have the check `base64url`. */
  get isBase64url(): boolean {
    return has(this, 'base64url')
  }

  /** Does it have the check `emoji`. */
  get isEmoji(): boolean {
    return has(this, 'emoji')
  }

  /** Does it have the check `datetime`. */
  get isDatetime(): boolean {
    return has(this, 'datetime')
  }

  /** Does it have the check `date`. */
  get isDate(): boolean {
    return has(this, 'date')
  }

  /** Does it have the check `time`. */
  get isTime(): boolean {
    return has(this, 'time')
  }

  /** Does it have the check `duration`. */
  get isDuration(): boolean {
    return has(this, 'duration')
  }
}

const has = ({ def }: StringSchema, wanted: string): boolean => def.checks.some(({ kind }) => kind === wanted)
