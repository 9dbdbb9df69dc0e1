export * from 'sluice/z'
