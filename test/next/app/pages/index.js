export default function Home() {
  return 'a page of Next'
}
