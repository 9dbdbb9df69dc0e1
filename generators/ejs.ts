/**
 * Translate an EJS template into eta's dialect, so that templates written for other generators keep working. eta itself
 * has statements and `-%>`.
 *
 * | EJS | becomes |
 * |---|---|
 * | `<%= value %>`, `<%- value %>` | the value, not escaped |
 * | `<%_ code _%>` | a statement, without the blanks around it and the line end behind it |
 * | `<%# remark %>` | nothing |
 * | `<%%`, `%%>` | a literal `<%`, `%>`, which eta can only print as values |
 *
 * @example
 * ejsToEta('class <%= name %> {}') // 'class <%~ name %> {}'
 */
export const ejsToEta = (template: string): string =>
  template
    .replace(/<%#.*?(?:-%>\n?|%>)/gs, '')
    .replaceAll('<%%', "<%~ '<' + '%' %>")
    .replaceAll('%%>', "<%~ '%' + '>' %>")
    .replace(/[ \t]*<%_/g, '<%')
    .replace(/_%>[ \t]*\n?/g, '%>')
    .replace(/<%[-=]/g, '<%~')
