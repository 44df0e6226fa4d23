import Events
import Site

/// A shop, a café, an office or the like, for the directory.
struct MapThing {
    enum Place {
        case node(Int64)
        /// An edge, and the ids of the areas that were made of it.
        case area(outline: [Int64], ids: [String])
        /// The places that a file of ours states.
        case stated([PlaceReference])
    }

    /// The id in the file, such as `n123`, or the entry's own in a file of ours.
    var id: String
    let kind: String
    let name: String
    let facts: TagFacts
    var place: Place

    /// Keys of things that people look for by name, the most specific first.
    private static let keys = [
        "shop", "amenity", "office", "healthcare", "craft", "tourism", "leisure",
    ]
    /// Kinds of things that people look for even without a name.
    private static let namelessKinds: Set = [
        "toilets", "atm", "drinking_water", "luggage_locker", "information", "taxi",
    ]
    /// Street furniture: it may have a name, but nobody looks for it.
    private static let furniture: Set = [
        "bench", "bicycle_parking", "bollard", "clock", "grit_bin", "motorcycle_parking",
        "parking_entrance", "parking_space", "post_box", "recycling", "telephone", "vacant",
        "vending_machine", "waste_basket", "waste_disposal",
    ]

    /// Nil for a thing that does not belong in a directory.
    init?(_ id: String, _ tags: OpenStreetMapData.Tags, at place: Place) {
        let facts = TagFacts(tags)
        guard let kind = Self.kind(facts), !Self.furniture.contains(kind) else { return nil }
        let names = facts.names.byLanguage
        let name =
            facts.text("name") ?? facts.text("brand") ?? facts.text("operator")
            ?? names["en"] ?? names.min { $0.key < $1.key }?.value
        guard name != nil || Self.namelessKinds.contains(kind) else { return nil }
        self.id = id
        self.kind = kind
        self.name = name ?? ""
        self.facts = facts
        self.place = place
    }

    private static func kind(_ facts: TagFacts) -> String? {
        for key in keys {
            if let word = facts.text(key), word != "no" { return word == "yes" ? key : word }
        }
        return nil
    }

    func entry(at places: [PlaceReference]) -> DirectoryEntry {
        DirectoryEntry(
            id: DirectoryID(id), kind: kind, name: name, names: facts.names, places: places,
            openingHours: facts.openingHours, website: facts.website, telephone: facts.telephone)
    }
}

extension TagFacts {
    /// The first of several addresses. It needs a scheme, or links would not work.
    fileprivate var website: String? {
        for key in ["website", "contact:website", "url"] {
            guard let text = text(key), let first = first(text) else { continue }
            if first.hasPrefix("https://") || first.hasPrefix("http://") { return first }
            if first.hasPrefix("www.") { return "https://" + first }
        }
        return nil
    }

    fileprivate var telephone: String? {
        for key in ["phone", "contact:phone", "contact:mobile"] {
            if let text = text(key), let first = first(text) { return first }
        }
        return nil
    }

    /// The first of the values, which OpenStreetMap separates by semicolons.
    private func first(_ list: String) -> String? {
        guard let part = list.split(separator: ";").first?.drop(while: { $0 == " " }),
            !part.isEmpty, part.utf8.count + "https://".utf8.count <= SiteLimits.textBytes
        else { return nil }
        return String(part)
    }
}
