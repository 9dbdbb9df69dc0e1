import { describe, expect, test } from 'vitest'
import { compareImports } from '../../generators/import-order.ts'
import { putImport } from '../../generators/routes-file.ts'

test.each([
  [['a2', 'a10', 'accountMailer', 'aIdSchema', 'createASchema', 'MailProvider', 'mailToken', 'type SendX', 'Zed']],
  [['type App', 'a', 'B', 'b', 'ba']],
  [['./admin/post.ts', './admin.ts', './admin-x.ts', './post2.ts', './post10.ts']],
  [['../../b.ts', '../a.ts', './a.ts']],
  [['accountCsrf', 'accountSession']],
])('compareImports gives the order of Biome: %j', (names) => {
  expect(names.toReversed().toSorted(compareImports)).toEqual(names)
  expect(names.toSorted(compareImports)).toEqual(names)
})

describe('an import is put into a file', () => {
  const line = (name: string) => `import { ${name} } from './app/routes/${name}.ts'`
  const outer = "import { z } from 'sluice'\n"
  const page = "import { startPage } from './start-page.ts'\n"
  test.each([
    ['where there is none', '// mark\n', `${line('post')}\n// mark\n`],
    ['behind packages', `${outer}// mark\n`, `${outer}${line('post')}\n// mark\n`],
    ['before what comes later', `${outer}${page}// mark\n`, `${outer}${line('post')}\n${page}// mark\n`],
    ['behind what comes earlier', `${line('page')}\n// mark\n`, `${line('page')}\n${line('post')}\n// mark\n`],
    [
      'between two',
      `${outer}${line('page')}\n${page}// mark\n`,
      `${outer}${line('page')}\n${line('post')}\n${page}// mark\n`,
    ],
    [
      'at the mark, where the imports of the project have another order',
      `${page}${line('page')}\n// mark\n`,
      `${page}${line('page')}\n${line('post')}\n// mark\n`,
    ],
    [
      'at the mark, where something else stands before it',
      `${page}\nconst a = 1\n// mark\n`,
      `${page}\nconst a = 1\n${line('post')}\n// mark\n`,
    ],
  ])('%s', (_, source, expected) => {
    expect(putImport(source, '// mark', line('post'))).toBe(expected)
  })
})
