(() => {
  // A part of the page may be drawn anew between the finger's going down and its coming up: what it pressed is then
  // hidden behind the new drawing. What was pressed is done, and what took its place is not.
  let pressed = null, done = -1e9;
  addEventListener('pointerdown', e => {
    const on = e.target.closest && e.target.closest('.mi-panel button, .mi-panel [role=switch], .mi-panel [role=checkbox]');
    pressed = on && {on, x: e.clientX, y: e.clientY};
  }, true);
  addEventListener('pointerup', e => {
    const was = pressed;
    pressed = null;
    if (!was || was.on.checkVisibility() || Math.hypot(e.clientX - was.x, e.clientY - was.y) > 16) return;
    done = performance.now();
    was.on.click();
  }, true);
  addEventListener('click', e => {
    if (e.isTrusted && performance.now() - done < 500) { e.stopImmediatePropagation(); e.preventDefault(); }
  }, true);
})();
