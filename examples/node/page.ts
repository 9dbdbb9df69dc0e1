/** The page; its script is a separate file, so the security policy needs no exception. */
export const page = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>To do</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/style.css">
<main>
  <h1>To do</h1>
  <form id="add">
    <input name="title" placeholder="What is next?" maxlength="200" required autofocus>
    <button>Add</button>
  </form>
  <ul id="list"></ul>
  <p>Open this page twice: changes arrive in both by server-sent events.</p>
</main>
<script type="module" src="/app.js"></script>
</html>
`

export const style = `body { font: 1.1rem/1.5 system-ui, sans-serif; background: #f6f7f9; color: #1d2430 }
main { max-width: 32rem; margin: 3rem auto; padding: 2rem; background: #fff; border-radius: .75rem; box-shadow: 0 1px 8px #0002 }
form { display: flex; gap: .5rem }
input[name=title] { flex: 1; padding: .5rem; font: inherit; border: 1px solid #cbd2dc; border-radius: .4rem }
button { font: inherit; padding: .4rem .9rem; border: 0; border-radius: .4rem; background: #2456d6; color: #fff; cursor: pointer }
ul { list-style: none; padding: 0 }
li { display: flex; align-items: center; gap: .6rem; padding: .35rem 0; border-bottom: 1px solid #edf0f4 }
li span { flex: 1 }
li.done span { text-decoration: line-through; color: #8a94a3 }
li button { background: none; color: #b3261e }
p { color: #667085; font-size: .9rem }
`
