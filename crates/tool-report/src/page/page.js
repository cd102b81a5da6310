const rows = [...document.querySelectorAll("details.call")];
const others = [...document.querySelectorAll(".message, .batch > p")];
const filters = [...document.querySelectorAll("select")];
const shown = document.getElementById("shown");
function fits(row, { name, value }) {
  return !value || (name === "code" ? row.dataset.code.split(" ").includes(value) : row.dataset[name] === value);
}
function apply() {
  let count = 0;
  for (const row of rows) {
    row.hidden = !filters.every((filter) => fits(row, filter));
    count += row.hidden ? 0 : 1;
  }
  const isFiltered = filters.some((filter) => filter.value);
  for (const other of others) other.hidden = isFiltered;
  if (shown) shown.textContent = `${count} of ${rows.length} calls`;
}
function follow() {
  const row = document.getElementById(location.hash.slice(1));
  if (row && row.matches("details.call")) {
    row.hidden = false;
    row.open = true;
    row.scrollIntoView();
  }
}
filters.forEach((filter) => filter.addEventListener("change", apply));
addEventListener("hashchange", follow);
apply();
follow();
