'use strict';
// The page works without this; it adds the filter and opens what a link points at.
(() => {
  const cases = Array.from(document.querySelectorAll('details.case'));
  const form = document.getElementById('filter');

  const open = () => {
    const target = location.hash && document.getElementById(location.hash.slice(1));
    if (target && target.matches('details.case')) {
      target.hidden = false;
      target.open = true;
      target.querySelector('summary').focus();
      target.scrollIntoView();
    }
  };
  addEventListener('hashchange', open);
  // A second click on the same square changes no hash.
  document.addEventListener('click', (event) => {
    const square = event.target.closest('a.square');
    if (square && square.hash === location.hash) open();
  });
  open();
  // What is folded away would be missing on paper.
  addEventListener('beforeprint', () => document.querySelectorAll('details').forEach((d) => { d.open = true; }));

  if (!form) return;
  const find = document.getElementById('find');
  const shown = document.getElementById('shown');
  const none = document.getElementById('none');
  const boxes = Array.from(form.elements.namedItem('show').length === undefined
    ? [form.elements.namedItem('show')] : form.elements.namedItem('show'));

  const apply = () => {
    const words = find.value.toLowerCase().split(/\s+/).filter(Boolean);
    const standings = new Set(boxes.filter((box) => box.checked).map((box) => box.value));
    let count = 0;
    for (const one of cases) {
      const match = standings.has(one.dataset.standing)
        && words.every((word) => one.dataset.words.includes(word));
      one.hidden = !match;
      if (match) count += 1;
    }
    for (const square of document.querySelectorAll('a.square')) {
      const one = document.getElementById(square.hash.slice(1));
      square.classList.toggle('out', one.hidden);
    }
    shown.textContent = count === cases.length ? `${count} cases` : `${count} of ${cases.length} cases`;
    none.hidden = count > 0;
  };
  form.addEventListener('input', apply);
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const first = cases.find((one) => !one.hidden);
    if (first) { first.open = true; first.querySelector('summary').focus(); }
  });
  document.addEventListener('keydown', (event) => {
    if (event.key === '/' && !event.ctrlKey && !event.metaKey && !event.altKey && event.target !== find) {
      event.preventDefault();
      find.focus();
    } else if (event.key === 'Escape' && event.target === find) {
      find.value = '';
      apply();
    }
  });
  form.hidden = false;
  apply();
})();
