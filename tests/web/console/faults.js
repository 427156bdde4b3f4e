// What is wrong with the page as it lies there: outside it, too small for a finger, cut off.
// A phone widens its view to what lies outside: the width is told.
const wide = arguments[0], found = [];
const name = e => `${e.tagName.toLowerCase()}.${e.className} "${(e.innerText || e.ariaLabel || e.value || '').slice(0, 24)}"`;
if (innerWidth > wide) found.push('view is ' + innerWidth);
if (document.documentElement.scrollWidth > wide) found.push('page is ' + document.documentElement.scrollWidth);
const picked = 'button, a[href], input, textarea, select, summary, [role=button], [role=switch], [role=checkbox], [role=option]';
for (const e of document.querySelectorAll(picked)) {
  const inner = e.closest('.q-field__control, .q-toggle, .q-checkbox');
  const box = (inner || e).getBoundingClientRect();
  if (!e.checkVisibility({visibilityProperty: true}) || !box.width) continue;
  if (box.left < -0.5 || box.right > wide + 0.5) found.push(`outside: ${name(e)} ${box.left}–${box.right}`);
  if (wide < 600 && (box.height < 39.5 || box.width < 39.5)) found.push(`small: ${name(e)} ${box.width}×${box.height}`);
}
for (const e of document.querySelectorAll('.mi-main *, .mi-top *')) {
  if (e.closest('canvas, .ag-root-wrapper')) continue;
  const box = e.getBoundingClientRect();
  if (e.checkVisibility() && box.width && (box.right > wide + 1 || box.left < -1)) found.push(`cut: ${name(e)}`);
}
return found;
