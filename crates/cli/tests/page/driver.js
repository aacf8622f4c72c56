'use strict';
// Stands in for a reader with a keyboard. What it saw is left in the page as JSON.
let alerts = 0;
window.alert = () => { alerts += 1; };

function drive(what) {
  const seen = { read, hostile }[what]();
  const pre = document.createElement('pre');
  pre.id = 'seen';
  pre.textContent = JSON.stringify(seen);
  document.body.append(pre);
}

const visible = (element) => element.getClientRects().length > 0;
const shown = () => Array.from(document.querySelectorAll('details.case')).filter(visible);
const names = () => shown().map((one) => one.querySelector('summary strong').textContent);
const type = (text) => {
  const find = document.getElementById('find');
  find.value = text;
  find.dispatchEvent(new Event('input', { bubbles: true }));
};
const tick = (box, on) => {
  box.checked = on;
  box.dispatchEvent(new Event('input', { bubbles: true }));
};

function read() {
  const seen = { all: shown().length, first: shown()[0].dataset.standing };
  document.body.dispatchEvent(new KeyboardEvent('keydown', { key: '/', bubbles: true, cancelable: true }));
  seen.focused_by_slash = document.activeElement.id === 'find';
  type('musl GLIBC-loader');
  seen.filtered = names();
  seen.said = document.getElementById('shown').textContent;
  document.getElementById('filter').requestSubmit();
  const alpine = shown()[0];
  seen.opened_by_enter = alpine.open && document.activeElement === alpine.querySelector('summary');
  seen.evidence = alpine.querySelector('.evidence').innerText;
  const row = (name) => alpine.querySelector(`dd[data-row="${name}"]`).innerText;
  seen.code = row('code');
  seen.whose = row('whose');
  seen.steps = Array.from(alpine.querySelectorAll('.waterfall tr.step')).filter(visible).length;
  alpine.querySelector('.dockerfile').open = true;
  seen.author_lines = alpine.querySelector('.dockerfile').innerText;
  type('');
  const boxes = Array.from(document.querySelectorAll('input[name="show"]'));
  boxes.forEach((box) => tick(box, box.value === 'bad'));
  seen.only_bad = shown().length;
  boxes.forEach((box) => tick(box, false));
  seen.none_shown = visible(document.getElementById('none'));
  boxes.forEach((box) => tick(box, true));
  const square = document.querySelector('a.square.bad');
  square.click();
  const target = document.getElementById(square.hash.slice(1));
  // The browser changes the hash a moment later; the page also listens for the same square again.
  window.dispatchEvent(new HashChangeEvent('hashchange'));
  seen.opened_by_square = target.open && visible(target.querySelector('.body'));
  seen.unlabelled = Array.from(document.querySelectorAll('input, a, summary, [tabindex]'))
    .filter((one) => !(one.getAttribute('aria-label') || one.getAttribute('aria-labelledby')
      || one.textContent.trim() || (one.labels && one.labels.length)))
    .map((one) => one.outerHTML.slice(0, 80));
  seen.wider_than_window = document.documentElement.scrollWidth > window.innerWidth;
  return seen;
}

function hostile() {
  document.querySelectorAll('details').forEach((one) => { one.open = true; });
  return {
    images: document.images.length,
    scripts: document.scripts.length,
    alerts,
    shows_it_as_text: document.body.innerText.includes('<img src=x onerror=alert(1)>'),
  };
}
