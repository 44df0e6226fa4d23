// On paper the map stands below the steps, in the size of the page.

/** Lays the map out for paper before it is printed, and back after. */
export function startPrinting(app) {
  const list = document.documentElement.classList;
  const lay = (printing) => {
    const view = app.view;
    if (!view || !view.ready) return;
    list.toggle('printing', printing);
    view.leaflet.stop();
    view.leaflet.invalidateSize({ animate: false, pan: false });
    if (view.shownLine) view.shownLine.fit(false);
    else view.fitAll(false);
    view.layer.paint();
  };
  window.addEventListener('beforeprint', () => lay(true));
  window.addEventListener('afterprint', () => lay(false));
}
