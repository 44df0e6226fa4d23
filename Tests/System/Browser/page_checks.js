// Checks of what a page shows, run in the browser. Each gives a list of faults in words.
(function () {
  'use strict';

  function shown(element) {
    var box = element.getBoundingClientRect();
    if (!box.width || !box.height) return false;
    for (var one = element; one && one.nodeType === 1; one = one.parentElement) {
      var style = getComputedStyle(one);
      if (style.display === 'none' || style.visibility === 'hidden' || style.opacity === '0') return false;
      if (one.classList.contains('unseen') || one.classList.contains('skip')) return false;
      if (one.matches('.head.compact h1')) return false;
    }
    return true;
  }

  function texts() {
    var walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    var result = [];
    while (walker.nextNode()) {
      var node = walker.currentNode;
      var parent = node.parentElement;
      if (!node.nodeValue.trim() || !parent || /^(SCRIPT|STYLE)$/.test(parent.tagName)) continue;
      if (parent.tagName !== 'OPTION' && shown(parent)) result.push({ node: node, parent: parent });
    }
    return result;
  }

  function numbers(colour) {
    var parts = (colour.match(/[\d.]+/g) || []).map(Number);
    return parts.length > 3 ? parts : parts.concat(1);
  }

  function over(front, back) {
    var share = front[3];
    return [0, 1, 2].map(function (i) { return front[i] * share + back[i] * (1 - share); }).concat(1);
  }

  function background(element) {
    var layers = [];
    for (var one = element; one && one.nodeType === 1; one = one.parentElement) {
      var colour = numbers(getComputedStyle(one).backgroundColor);
      if (colour[3] > 0) layers.push(colour);
      if (colour[3] === 1) break;
    }
    var dark = matchMedia('(prefers-color-scheme: dark)').matches;
    return layers.reverse().reduce(function (back, front) { return over(front, back); },
      dark ? [20, 25, 31, 1] : [255, 255, 255, 1]);
  }

  function luminance(colour) {
    var parts = colour.slice(0, 3).map(function (value) {
      var share = value / 255;
      return share <= 0.03928 ? share / 12.92 : Math.pow((share + 0.055) / 1.055, 2.4);
    });
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2];
  }

  function contrast(one, other) {
    var a = luminance(one);
    var b = luminance(other);
    return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
  }

  function hex(text) {
    return [1, 3, 5].map(function (i) { return parseInt(text.slice(i, i + 2), 16); }).concat(1);
  }

  window.pageChecks = {
    width: function () {
      var faults = [];
      var wide = document.documentElement.clientWidth;
      if (document.documentElement.scrollWidth > wide) faults.push('the page scrolls sideways');
      document.querySelectorAll('#page *').forEach(function (one) {
        if (one.closest('.map, .others, svg') || !shown(one)) return;
        var box = one.getBoundingClientRect();
        if (box.right > wide + 1 || box.left < -1) {
          faults.push(one.className + ' reaches ' + Math.round(box.right) + ' of ' + wide);
        }
      });
      var content = document.querySelector('.content');
      if (content && content.scrollWidth > content.clientWidth + 1) faults.push('the panel is too wide');
      return faults;
    },

    size: function () {
      var faults = [];
      texts().forEach(function (one) {
        var size = parseFloat(getComputedStyle(one.parent).fontSize);
        var svg = one.parent.ownerSVGElement;
        if (svg) size *= svg.getBoundingClientRect().width / svg.viewBox.baseVal.width;
        if (size < 10.99) faults.push(one.node.nodeValue + ' has ' + size + ' pixels');
      });
      window.whereabouts.view.layer.shownLabels().forEach(function (one) {
        if (one.text && one.size < 11) faults.push(one.text + ' on the map has ' + one.size + ' pixels');
      });
      return faults;
    },

    /** Words of up to 14 letters stand in one line: longer ones may break where the place is narrow. */
    brokenWords: function () {
      var faults = [];
      var range = document.createRange();
      texts().forEach(function (one) {
        var pattern = /[\p{L}]{2,14}(?![\p{L}\u00ad])/gu;
        for (var found; (found = pattern.exec(one.node.nodeValue));) {
          var before = one.node.nodeValue[found.index - 1];
          if (before && /[\p{L}\u00ad]/u.test(before)) continue;
          range.setStart(one.node, found.index);
          range.setEnd(one.node, found.index + found[0].length);
          var boxes = range.getClientRects();
          if (boxes.length > 1 && boxes[1].top > boxes[0].bottom - 1) faults.push(found[0] + ' is broken');
        }
      });
      return faults;
    },

    contrast: function () {
      var faults = [];
      texts().forEach(function (one) {
        var disabled = one.parent.closest('button:disabled');
        if (disabled || one.parent.ownerSVGElement || one.parent.closest('.map')) return;
        var back = background(one.parent);
        var ratio = contrast(over(numbers(getComputedStyle(one.parent).color), back), back);
        if (ratio < 4.5) faults.push(one.node.nodeValue.slice(0, 40) + ' has ' + ratio.toFixed(2));
      });
      return faults;
    },

    palette: function (colours) {
      var faults = [];
      ['text', 'quiet', 'lit'].forEach(function (name) {
        var ratio = contrast(hex(colours[name]), hex(colours.halo));
        if (ratio < 4.5) faults.push(name + ' on its halo has ' + ratio.toFixed(2));
      });
      Object.keys(colours.areas).forEach(function (name) {
        var ratio = contrast(hex(colours.text), hex(colours.areas[name]));
        if (ratio < 4.5) faults.push('a name on ' + name + ' has ' + ratio.toFixed(2));
      });
      ['building', 'land', 'ground'].forEach(function (name) {
        var ratio = contrast(hex(colours.quiet), hex(colours[name]));
        if (ratio < 4.5) faults.push('a building\'s name on ' + name + ' has ' + ratio.toFixed(2));
      });
      var sign = contrast(hex(colours.sign), hex(colours.badge));
      if (sign < 4.5) faults.push('a sign has ' + sign.toFixed(2));
      return faults;
    },

    overlaps: function () {
      var labels = window.whereabouts.view.layer.shownLabels();
      var faults = [];
      labels.forEach(function (one, index) {
        labels.slice(index + 1).forEach(function (other) {
          var a = one.box;
          var b = other.box;
          if (a[0] < b[2] && a[2] > b[0] && a[1] < b[3] && a[3] > b[1]) {
            faults.push((one.text || one.key) + ' lies over ' + (other.text || other.key));
          }
        });
      });
      return faults;
    },

    /** Texts that are keys, or that are as in English although the language says them otherwise. */
    untranslated: function (english, words) {
      var faults = [];
      var foreign = {};
      Object.keys(english).forEach(function (key) {
        if (english[key] !== words[key] && english[key].length > 3) foreign[english[key]] = key;
      });
      Object.keys(words).forEach(function (key) { delete foreign[words[key]]; });
      function look(text) {
        var plain = text.trim();
        if (plain in english && plain.indexOf('.') > 0) faults.push(plain + ' is a key');
        if (foreign[plain]) faults.push(plain + ' is English');
        if (/\{\w+\}/.test(plain)) faults.push(plain + ' has a hole');
      }
      texts().forEach(function (one) { look(one.node.nodeValue); });
      document.querySelectorAll('[aria-label], [placeholder], [title]').forEach(function (one) {
        ['aria-label', 'placeholder', 'title'].forEach(function (name) {
          if (one.hasAttribute(name)) look(one.getAttribute(name));
        });
      });
      return faults;
    },

    /**
     * Controls that stay where they are while the panel scrolls can be seen and pressed: neither the
     * window's edge nor that of the panel cuts them off, and nothing lies over them.
     */
    cut: function () {
      var faults = [];
      function within(control, style) {
        for (var one = control; one && one.nodeType === 1; one = one.parentElement) {
          if (style(getComputedStyle(one), one)) return one;
        }
        return null;
      }
      document.querySelectorAll('#page button, #page a[href], #page input, #page select').forEach(function (one) {
        if (!shown(one) || one.classList.contains('unseen')) return;
        var scroller = within(one, function (style, element) {
          return /auto|scroll/.test(style.overflowY) && element.scrollHeight > element.clientHeight + 1;
        });
        var stays = within(one, function (style) { return style.position === 'sticky'; });
        if (scroller && !(stays && scroller.contains(stays))) return;
        var box = one.getBoundingClientRect();
        var edge = scroller ? scroller.getBoundingClientRect() : { top: 0, bottom: innerHeight };
        var name = one.getAttribute('aria-label') || one.textContent.trim() || one.className;
        if (box.top < Math.max(0, edge.top) - 1 || box.bottom > Math.min(innerHeight, edge.bottom) + 1) {
          faults.push(name + ' is cut off: ' + Math.round(box.top) + ' to ' + Math.round(box.bottom)
            + ' of ' + Math.round(edge.bottom));
          return;
        }
        var top = document.elementFromPoint((box.left + box.right) / 2, (box.top + box.bottom) / 2);
        if (!top || !(one.contains(top) || top.contains(one))) {
          faults.push(name + ' lies under ' + (top ? top.className || top.tagName : 'nothing'));
        }
      });
      return faults;
    },

    /** Ids that nobody would say, in choices too. */
    ids: function () {
      var all = texts().map(function (one) { return one.node.nodeValue; });
      document.querySelectorAll('#page option').forEach(function (one) { all.push(one.textContent); });
      return all.filter(function (text) { return /[0-9a-f]{8}-[0-9a-f]{4}-/i.test(text); })
        .map(function (text) { return text + ' is an id'; });
    },

    /** What can be pressed has a name for screen readers, and a size that a finger hits. */
    named: function () {
      var faults = [];
      document.querySelectorAll('#page button, #page a[href], #page input, #page select').forEach(function (one) {
        if (!shown(one)) return;
        var label = one.getAttribute('aria-label') || one.textContent.trim()
          || (one.labels && one.labels.length && one.labels[0].textContent.trim());
        if (!label) faults.push(one.outerHTML.slice(0, 80) + ' has no name');
        var box = one.getBoundingClientRect();
        if (one.tagName === 'BUTTON' && Math.min(box.width, box.height) < 22) {
          faults.push(label + ' is ' + Math.round(box.width) + ' by ' + Math.round(box.height));
        }
      });
      return faults;
    },
  };
}());
