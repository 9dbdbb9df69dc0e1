export * from 'sluice'
