extension PageView {
    // MARK: A place

    var cardParts: [HTML] {
        guard let card else { return [] }
        var facts = card.facts.flatMap { fact in
            [
                HTML.element("dt", [:], .text(fact.name)),
                HTML.element("dd", [:], .text(fact.value)),
            ]
        }
        if let telephone = card.telephone {
            let digits = telephone.filter { $0.isASCII && $0.isNumber || $0 == "+" }
            let link: HTML =
                digits.isEmpty
                ? .text(telephone)
                : .element("a", ["href": "tel:\(digits)"], .text(telephone))
            facts += [
                .element("dt", [:], .text(words("page.telephone"))), .element("dd", [:], link),
            ]
        }
        if let website = card.website, let address = PageLink.foreign(website) {
            let link: HTML = .element(
                "a", ["href": address, "rel": "noopener noreferrer"], .text(website))
            facts += [
                .element("dt", [:], .text(words("page.website"))), .element("dd", [:], link),
            ]
        }
        let links: [HTML] =
            card.links.isEmpty ? [] : [.element("ul", [("class", "links")], card.links.map(item))]
        return [
            .element(
                "section", [("class", "card")],
                [.element("h2", [:], .text(card.name)), .element("dl", [], facts)] + links)
        ]
    }

    // MARK: Lists

    /// A heading with its list; nothing for an empty one without a note.
    func parts(_ section: Section) -> [HTML] {
        guard !section.items.isEmpty || section.note != nil else { return [] }
        var parts: [HTML] = [
            .element(section.level == 2 ? "h2" : "h3", [:], .text(section.title))
        ]
        if let note = section.note { parts.append(.element("p", [:], .text(note))) }
        if !section.items.isEmpty {
            parts.append(.element("ul", classes("list", section), section.items.map(item)))
        }
        if let more = section.more {
            parts.append(.element("p", [("class", "more")], [link(more)]))
        }
        return [.element("section", classes("part", section), parts)]
    }

    private func classes(_ name: String, _ section: Section) -> HTML.Attributes {
        [("class", section.style.isEmpty ? name : "\(name) \(section.style)")]
    }

    private func item(_ item: Section.Item) -> HTML {
        let current: HTML.Attributes = item.isCurrent ? [("aria-current", "true")] : []
        return .element(
            "li", current, [link(item), .text(item.line.isEmpty ? "" : " · \(item.line)")])
    }

    private func link(_ item: Section.Item) -> HTML {
        guard let address = item.address else { return .text(item.name) }
        return .element("a", ["href": address], .text(item.name))
    }

    // MARK: Maps

    var mapParts: [HTML] {
        maps.map { map in
            guard !map.isLarge else {
                return .element(
                    "p", [("class", "more")],
                    [
                        .element(
                            "a", ["href": map.address],
                            .text(words("page.largeMap", ["map": map.title])))
                    ])
            }
            return .element(
                "figure", [:],
                // With JavaScript the app draws the map, and must not wait for this one. The
                // caption names the picture, and the rooms stand below it as text.
                .element(
                    "noscript", [:],
                    .element("img", ["src": map.address, "alt": words("map"), "width": "800"])),
                .element("figcaption", [:], .text(map.title)))
        }
    }
}

extension PageWords {
    /// The links to the page in all languages. Its own, if it is shown, is a word without a link.
    func languageLinks(
        _ languages: [(code: String, name: String, address: String)], showsOwn: Bool
    ) -> HTML {
        let shown = languages.filter { showsOwn || $0.code != code }
        let items = shown.map { language -> HTML in
            language.code == code
                ? .element("li", ["aria-current": "true"], .text(language.name))
                : .element(
                    "li", [:],
                    .element(
                        "a",
                        [
                            "href": language.address, "hreflang": language.code,
                            "lang": language.code,
                        ], .text(language.name)))
        }
        return .element(
            "nav", ["class": "languages", "aria-label": self("page.language")],
            .element("ul", [], items))
    }
}
