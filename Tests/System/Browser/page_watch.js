// Runs before the page's own scripts: it counts what the page asks of the service, so that a test
// can wait until nothing is under way.
(function () {
  'use strict';
  if (window.pageWatch) return;
  var whole = window.fetch;
  var watch = { asked: 0, waiting: 0 };
  window.pageWatch = watch;
  window.fetch = function () {
    watch.asked += 1;
    watch.waiting += 1;
    var answer = whole.apply(this, arguments);
    function over() {
      setTimeout(function () { watch.waiting -= 1; }, 0);
    }
    answer.then(function (one) {
      // The body is small and follows at once; the page reads it before this turn comes.
      one.clone().text().then(over, over);
    }, over);
    return answer;
  };

  /** What is shown, as a text: empty while the page waits for something. */
  watch.quiet = function () {
    var content = document.querySelector('.content');
    var text = content ? content.textContent.trim() : '';
    if (watch.waiting || !text || /…$/.test(text) || document.querySelector('.wait')) return '';
    var view = window.whereabouts && window.whereabouts.view;
    var map = '';
    if (view) {
      var pan = view.leaflet._panAnim;
      if ((pan && pan._inProgress) || view.leaflet._animatingZoom || view.layer.frame) return '';
      var at = view.leaflet.getCenter();
      map = [at.lat, at.lng, view.leaflet.getZoom(), view.floorID,
        view.layer.paintedAt].join();
    }
    return [watch.asked, location.href, map, text].join('|');
  };
}());
