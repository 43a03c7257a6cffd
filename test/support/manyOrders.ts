// A page of as many rows as are asked for, each with five nodes that are like those of its neighbours.

export function manyOrders(rows: number): string {
  const row = (at: number): string =>
    `<tr><td><a href="/order/${at}">Order ${at}</a></td><td><button>Ship order ${at}</button></td></tr>`;
  return `<table>${Array.from({ length: rows }, (_, at) => row(at)).join('')}</table>`;
}
