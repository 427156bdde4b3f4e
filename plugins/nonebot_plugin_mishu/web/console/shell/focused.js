(() => {
  // Who works by keys goes on where they were: a dialog that closes and a part that is drawn anew take away what
  // had the focus, and the browser starts at the top of the page. The same control of the new drawing gets it, by
  // its name and place among its likes, else the part in which it stood.
  const WITHIN = '.mi-panel, .mi-card, .mi-main, .mi-top, .mi-below, .mi-side', OVER = '.q-dialog, .q-menu';
  const name = e => e.dataset.mishu || e.getAttribute('aria-label') || e.innerText || '';
  const seen = e => e.isConnected && e.checkVisibility({visibilityProperty: true});
  const alike = (e, within) => [...within.querySelectorAll(e.tagName)].filter(each => seen(each) && name(each) === name(e));
  let last = null, waiting = false;
  addEventListener('focusin', e => {
    const it = e.target;
    if (!it.closest('.mi') || it.closest(OVER) || it.tabIndex < 0) return;
    const around = [];
    for (let each = it.parentElement; each; each = each.parentElement) if (each.matches(WITHIN)) around.push(each);
    last = {it, around, number: alike(it, document).indexOf(it)};
  });
  addEventListener('pointerdown', e => {
    if (last && !e.target.closest(OVER) && !last.it.contains(e.target)) last = null;
  }, true);
  const back = () => {
    waiting = false;
    const held = document.activeElement;
    if (!last || [...document.querySelectorAll(OVER)].some(seen)) return;
    if (held && held !== document.body && seen(held) && !held.closest(OVER)) return;
    const now = seen(last.it) ? last.it : alike(last.it, document)[last.number] || last.around.find(seen);
    if (!now) return;
    if (now !== last.it && now.tabIndex < 0) now.tabIndex = -1;
    now.focus({preventScroll: true});
  };
  new MutationObserver(() => {
    if (waiting || !last) return;
    waiting = true;
    setTimeout(back, 60);
  }).observe(document.documentElement, {subtree: true, childList: true, attributes: true, attributeFilter: ['class', 'style']});
})();
