// Starts the app, and starts it again where a file did not arrive.
//
// A telephone that changes from one network to another loses what is on its way. Without one module
// a page would wait for ever. The page that the server sends contains this file, so it is not lost.

(function () {
  const MOST_LOADS = 3;
  const FIRST_PAUSE_MILLISECONDS = 500;
  let leaving = false;
  let arrived = false;
  let lost = null;

  /** Loads a module and all that it needs; `failed` is called if one of them did not arrive. */
  function module(path, failed) {
    const script = document.createElement('script');
    script.type = 'module';
    script.src = path;
    script.onerror = failed;
    lost = failed;
    document.head.appendChild(script);
  }

  /**
   * Loads the page again after a pause that doubles; false after three times in a row.
   * The history's entry counts them: nothing is kept on the phone for it.
   */
  function again() {
    if (leaving) return true;
    const loads = (history.state && history.state.loads) || 0;
    if (loads >= MOST_LOADS) return false;
    leaving = true;
    history.replaceState({ loads: loads + 1 }, '');
    setTimeout(() => {
      askAnew().then(() => location.reload());
    }, FIRST_PAUSE_MILLISECONDS * Math.pow(2, loads));
    return true;
  }

  /** Asks for the app's files past the browser's cache: WebKit keeps half a file as a whole one. */
  function askAnew() {
    const files = document.querySelectorAll('link[rel=modulepreload], link[rel=stylesheet]');
    return Promise.all([].map.call(files, (one) => (
      fetch(one.href, { cache: 'reload' }).catch(() => null))));
  }

  /** All modules have arrived. */
  function whole() {
    arrived = true;
    settle();
  }

  function isStyled() {
    return Boolean(getComputedStyle(document.documentElement).getPropertyValue('--whole'));
  }

  /** With modules and style a later loss counts from the beginning. */
  function settle() {
    if (leaving || !arrived || !isStyled()) return;
    document.documentElement.classList.add('arrived');
    if (history.state && history.state.loads) history.replaceState(null, '');
  }

  window.loading = { module, again, whole };
  window.addEventListener('load', () => {
    if (isStyled()) settle();
    else again();
  });
  // Modules of two versions do not fit together, as when the service is upgraded meanwhile.
  window.addEventListener('error', (event) => {
    if (event.error instanceof SyntaxError && lost) lost();
  });
  module(document.currentScript.getAttribute('data-main'), again);
}());
