"use strict";
// Sorts and filters the tables of figures. Without it, the page shows the same content.
(() => {
  const value = (row, place) => {
    const cell = row.cells[place];
    return cell.dataset.v === undefined ? cell.textContent : Number(cell.dataset.v);
  };
  const compare = (one, other) => {
    if (typeof one === "number" && typeof other === "number") return one - other;
    if (typeof one !== typeof other) return typeof one === "number" ? -1 : 1;
    return one.localeCompare(other, "en");
  };
  const sort = (table, header, place) => {
    const down = header.getAttribute("aria-sort") !== "descending";
    const rows = [...table.tBodies[0].rows];
    rows.sort((one, other) => {
      const order = compare(value(one, place), value(other, place));
      return down ? -order : order;
    });
    for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
    header.setAttribute("aria-sort", down ? "descending" : "ascending");
    table.tBodies[0].append(...rows);
  };
  const withFilter = (table, region) => {
    const rows = [...table.tBodies[0].rows];
    if (rows.length < 8) return;
    const line = document.createElement("div");
    line.className = "filter";
    const label = document.createElement("label");
    label.textContent = "Rows with ";
    const input = document.createElement("input");
    input.type = "search";
    label.append(input);
    const status = document.createElement("span");
    status.className = "status";
    status.setAttribute("role", "status");
    input.addEventListener("input", () => {
      const wanted = input.value.toLowerCase();
      let shown = 0;
      for (const row of rows) {
        row.hidden = !row.textContent.toLowerCase().includes(wanted);
        if (!row.hidden) shown += 1;
      }
      status.textContent = wanted === "" ? "" : `${shown} of ${rows.length}`;
    });
    line.append(label, status);
    region.before(line);
  };
  for (const region of document.querySelectorAll(".scroll")) {
    const table = region.querySelector("table");
    [...table.tHead.rows[0].cells].forEach((header, place) => {
      const button = document.createElement("button");
      button.type = "button";
      button.append(...header.childNodes);
      button.addEventListener("click", () => sort(table, header, place));
      header.append(button);
    });
    withFilter(table, region);
  }
  // On a narrow page, open contents would fill the first screen.
  const contents = document.querySelector("nav details");
  if (contents && window.matchMedia("(max-width: 62rem)").matches) contents.open = false;
})();
