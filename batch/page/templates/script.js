"use strict";
(function () {
  const list = document.querySelector("#list");
  const body = list.tBodies[0];
  const rows = Array.from(body.rows);
  const find = document.querySelector("#find");
  const kind = document.querySelector("#kind");
  const count = document.querySelector("#count");
  const sheetOf = (row) => document.getElementById(row.querySelector("a").getAttribute("href").slice(1));

  function filter() {
    const words = find.value.trim().toLocaleLowerCase();
    let shown = 0;
    for (const row of rows) {
      const fits = (!kind.value || row.dataset.kind === kind.value) && row.textContent.toLocaleLowerCase().includes(words);
      row.hidden = sheetOf(row).hidden = !fits;
      shown += fits ? 1 : 0;
    }
    count.textContent = shown + " of " + rows.length;
  }

  function sortBy(head) {
    const place = head.cellIndex;
    const down = head.getAttribute("aria-sort") === "ascending";
    for (const other of head.parentNode.cells) other.setAttribute("aria-sort", "none");
    head.setAttribute("aria-sort", down ? "descending" : "ascending");
    const value = (row) => row.cells[place].dataset.v ?? row.cells[place].textContent.trim();
    const compare = (a, b) => {
      const [one, two] = [value(a), value(b)];
      if ((one === "") !== (two === "")) return one === "" ? 1 : -1;
      return (down ? -1 : 1) * one.localeCompare(two, undefined, { numeric: true }) || rows.indexOf(a) - rows.indexOf(b);
    };
    const numeric = (a, b) => {
      const [one, two] = [value(a), value(b)];
      if (one === "" || two === "") return compare(a, b);
      return (down ? -1 : 1) * (Number(one) - Number(two)) || rows.indexOf(a) - rows.indexOf(b);
    };
    const numbers = rows.every((row) => row.cells[place].dataset.v !== undefined);
    body.append(...rows.slice().sort(numbers ? numeric : compare));
  }

  function open() {
    const sheet = location.hash.length > 1 && document.getElementById(location.hash.slice(1));
    if (sheet && sheet.tagName === "DETAILS") {
      sheet.open = true;
      sheet.querySelector("summary").focus({ preventScroll: true });
      sheet.scrollIntoView();
    }
  }

  find.addEventListener("input", filter);
  kind.addEventListener("change", filter);
  find.form.addEventListener("submit", (event) => event.preventDefault());
  list.tHead.addEventListener("click", (event) => {
    const button = event.target.closest("button");
    if (button) sortBy(button.parentNode);
  });
  list.addEventListener("click", (event) => {
    const link = event.target.closest("a");
    if (link && link.hash === location.hash) open();
  });
  window.addEventListener("hashchange", open);
  window.addEventListener("beforeprint", () => document.querySelectorAll("details").forEach((sheet) => { sheet.open = true; }));
  open();
})();
