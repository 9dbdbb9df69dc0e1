declare module 'harness' {
  const code: string
  export default code
}

declare module 'lessons' {
  const lessons: readonly import('./lesson.ts').Lesson[]
  export default lessons
}
