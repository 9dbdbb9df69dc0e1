import { expect, test } from 'vitest'
import { createScratchDatabase, describeService } from '../services.ts'

describeService('postgres', 'a scratch database', () => {
  test('is empty, its own, and gone after drop', async () => {
    const scratch = await createScratchDatabase('postgres')
    expect(scratch.url).toMatch(/\/sluice_\w+$/)
    await scratch.drop()
    await expect(scratch.drop()).rejects.toThrow('does not exist')
  })
})

describeService('mysql', 'a scratch database', () => {
  test('is empty, its own, and gone after drop', async () => {
    const scratch = await createScratchDatabase('mysql')
    expect(scratch.url).toMatch(/\/sluice_\w+$/)
    await scratch.drop()
    await expect(scratch.drop()).rejects.toThrow("doesn't exist")
  })
})
