// Sort a table by the column whose heading is pressed; numbers by value, text by alphabet.
for (const button of document.querySelectorAll("th button")) {
  button.addEventListener("click", () => {
    const head = button.closest("th"), table = head.closest("table"), body = table.tBodies[0];
    const column = [...head.parentNode.children].indexOf(head);
    const down = head.getAttribute("aria-sort") === "ascending";
    for (const other of head.parentNode.children) other.removeAttribute("aria-sort");
    head.setAttribute("aria-sort", down ? "descending" : "ascending");
    const key = (row) => {
      const cell = row.children[column], value = cell.dataset.value;
      return value ? Number(value) : cell.textContent.trim().toLowerCase();
    };
    const order = (a, b) => {
      const x = key(a), y = key(b);
      if (typeof x === typeof y) return x < y ? -1 : x > y ? 1 : 0;
      return typeof x === "number" ? -1 : 1;
    };
    const rows = [...body.rows].sort((a, b) => (down ? -order(a, b) : order(a, b)));
    body.append(...rows);
  });
}
