import { html, type Markup, raw } from 'sluice/html'

const later = <T,>(value: T): Promise<T> => new Promise((resolve) => setTimeout(resolve, 1, value))

const Item = async ({ name }: { readonly name: string }) => <li class="item">{await later(name)}</li>

const Layout = ({ title, children }: { readonly title: string; readonly children?: unknown }) => (
  <html lang="en">
    <title>{title}</title>
    <main>{children}</main>
  </html>
)

/** A page with components, lists, fragments, and a template in it. */
export const page = (names: readonly string[]): Markup => (
  <Layout title="A < B">
    {/* biome-ignore lint/complexity/noUselessFragments: the fragment is what is tested */}
    <>
      <ul>
        {names.map((name) => (
          <Item key={name} name={name} />
        ))}
      </ul>
      <img src="javascript:x" alt={names[0]} hidden />
      {html`<b>${names[0]}</b>`}
      {raw('<hr>')}
      {false}
      {undefined}
    </>
  </Layout>
)

// @ts-expect-error the name is missing
export const missing = <Item />

export const styled = (
  <p style={{ color: 'red' }}>
    <b style={raw('color: red')} />
  </p>
)

// @ts-expect-error text is not a list of declarations: it would be sent as style="invalid"
export const invalid = <p style="color: red" />
