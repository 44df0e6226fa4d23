"""A script that notes what all live regions of a page say, in `window.heard`."""

# All live regions: what each said, in its order.
REGIONS = """
    window.heard = [];
    function hear(one) {
        var text = one.textContent.trim();
        if (text && !one.hidden) window.heard.push(text);
    }
    new MutationObserver(function (changes) {
        changes.forEach(function (change) {
            var at = change.target.nodeType === 1 ? change.target : change.target.parentNode;
            var region = at && at.closest('[role=status], [role=alert], [aria-live]');
            if (region) hear(region);
            [].forEach.call(change.addedNodes, function (node) {
                if (node.nodeType !== 1) return;
                var all = node.matches('[role=alert]') ? [node] : [];
                [].concat(all, [].slice.call(node.querySelectorAll('[role=alert]')))
                    .forEach(function (one) { if (one !== region) hear(one); });
            });
        });
    }).observe(document, { childList: true, characterData: true, subtree: true });"""
