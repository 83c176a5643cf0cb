// A table that is wider than its place is stacked, so that nobody has to scroll it sideways.

function nameColumns(table) {
    const names = [...table.querySelectorAll("thead th")].map((cell) => cell.innerText.trim());
    for (const row of table.querySelectorAll("tbody tr")) {
        [...row.cells].forEach((cell, index) => { cell.dataset.column = names[index] ?? ""; });
    }
}

function fitTables() {
    for (const wrapper of document.querySelectorAll("main .table-wrapper")) {
        wrapper.classList.remove("stacked");
        if (wrapper.scrollWidth > wrapper.clientWidth) {
            nameColumns(wrapper);
            wrapper.classList.add("stacked");
        }
    }
}

// A browser may break a line after the dashes of an option.
function keepOptionsWhole() {
    for (const code of document.querySelectorAll("main :is(p, td, li) > code")) {
        if (/^--[^ ]{1,24}( [A-Z]+)?$/.test(code.innerText)) code.classList.add("option");
    }
}

function adapt() {
    keepOptionsWhole();
    fitTables();
}

// The renderer builds pages anew when a reader follows a link.
new MutationObserver(adapt).observe(document.documentElement, { childList: true, subtree: true });
addEventListener("resize", fitTables);
