import Events
import Foundation
import HTTP
import Site
import Wire

/// The lists of a page: floors, rooms, the directory, free rooms, and what is kept of the reader.
extension PageFiller {
    typealias Section = PageView.Section
    typealias Item = PageView.Section.Item

    /// A site with more floors lists them on a page of their own.
    private static let mostFloorLinks = 40
    /// The rooms that a page lists without being asked for their floor.
    private static let fewRooms = 40
    private static let mostRooms = 600
    private static let mostEntries = 1_000
    private static let mostFreeRooms = 60

    // MARK: Floors

    /// The floor of the address, the one where the reader is, or the one that a site opens on.
    mutating func showFloor() async {
        let here = await reader.place(view.hereID, names)
        if let floor = names.index.floor(FloorID(wish.floor)) {
            showFloor(floor)
        } else if wish.floor == "outdoors" || names.index.floors.isEmpty {
            view.maps = [mapOutdoors]
        } else if let here {
            view.maps = maps(of: here)
            if let floor = here.floor.flatMap({ names.index.floor(FloorID($0)) }) {
                view.links.append(rooms(of: floor, most: Self.fewRooms))
            }
        } else if let floor = openingFloor {
            view.maps = [map(of: floor)]
            view.links.append(rooms(of: floor, most: Self.fewRooms))
        }
    }

    mutating func showFloor(_ floor: FloorRecord) {
        view.maps = [map(of: floor)]
        view.links.append(rooms(of: floor, most: Self.mostRooms))
    }

    private func map(of floor: FloorRecord) -> PageView.Map {
        PageView.Map(
            title: words("page.mapOf", ["floor": names.floor(floor.id.text) ?? ""]),
            address: wish.map(floor: floor.id.text, []))
    }

    /// The floor that the page opens on: one with rooms, at the entrance if there is one.
    private var openingFloor: FloorRecord? {
        let rooms = names.index.rooms.reduce(into: [:]) { $0[$1.floor, default: 0] += 1 }
        return names.index.floors.filter { rooms[$0.id] != nil }.max { one, other in
            let (first, second) = (rooms[one.id] ?? 0, rooms[other.id] ?? 0)
            return (one.ordinal == 0 ? 1 : 0, first) < (other.ordinal == 0 ? 1 : 0, second)
        }
    }

    /// The names of the map as text. Rooms without a name are left out, as in the app.
    private func rooms(of floor: FloorRecord, most: Int) -> Section {
        let rooms = names.index.rooms.filter { $0.floor == floor.id && names.hasName($0) }
        let items = toldApart(
            rooms.map { room in
                let (name, kind) = (names.room(room), names.kind(room.kind))
                let item = Item(
                    name: name, address: wish.link([("room", room.id.text)]),
                    line: name == kind || room.kind == "room" ? "" : kind)
                return (item, .room(room.id))
            }
        ).sorted { inOrder($0.name, $1.name) }
        let title = names.floor(floor.id.text) ?? ""
        var section = Section(
            title: words("directory.floor", ["floor": title]), items: Array(items.prefix(most)),
            style: "names")
        if items.count > most, most < Self.mostRooms {
            section.more = Item(
                name: words("page.allRooms", ["floor": title]),
                address: wish.link([("floor", floor.id.text)]))
        } else if items.count > most {
            section.note = words("directory.more", ["count": String(most)])
        }
        return section
    }

    /// The items of a list. Those of one name and line say what is near.
    private func toldApart(_ list: [(item: Item, place: PlaceReference?)]) -> [Item] {
        let twins = list.map {
            PageNames.Twin(name: $0.item.name, line: $0.item.line, place: $0.place)
        }
        return zip(list, names.near(amongTwins: twins)).map { listed, near in
            guard let near else { return listed.item }
            var item = listed.item
            let told = words("page.near", ["place": near])
            item.line = item.line.isEmpty ? told : "\(item.line) · \(told)"
            return item
        }
    }

    /// Names as people look for them: `Room 9` before `Room 10`.
    private func inOrder(_ one: String, _ other: String) -> Bool {
        one.compare(other, options: [.numeric, .caseInsensitive]) == .orderedAscending
    }

    /// The floor that the page shows, if it shows one alone.
    private var shownFloor: String? {
        guard view.maps.count == 1 else { return nil }
        if names.index.floor(FloorID(wish.floor)) != nil { return wish.floor }
        return view.card == nil && wish.floor.isEmpty && view.hereID.isEmpty
            ? openingFloor?.id.text : nil
    }

    /// Links to the floors, by the names on their signs, under the names of their buildings.
    var floorLinks: [Section] {
        let storeys = names.storeys
        let count = storeys.reduce(0) { $0 + $1.floors.count }
        guard count > 0 else { return [] }
        guard count <= Self.mostFloorLinks || wish.panel == .floors else {
            return [
                Section(
                    title: words("floors"),
                    items: [
                        Item(
                            name: words("page.allFloors"),
                            address: wish.link([("panel", "floors")])),
                        outdoors,
                    ], style: "links floors")
            ]
        }
        let shown = shownFloor
        var sections = [Section(title: words("floors"), items: [outdoors], style: "links floors")]
        for storey in storeys {
            let items = storey.floors.map { floor in
                Item(
                    name: names.level(floor), address: wish.link([("floor", floor.id.text)]),
                    isCurrent: floor.id.text == shown)
            }
            if storeys.count == 1 {
                sections[0].items = items + sections[0].items
            } else {
                sections.append(
                    Section(title: storey.name, level: 3, items: items, style: "links floors"))
            }
        }
        return sections
    }

    private var outdoors: Item {
        Item(name: words("page.outdoors"), address: wish.link([("floor", "outdoors")]))
    }

    // MARK: Other pages

    /// The directory, free rooms, and the nearest of the kinds that the site has.
    var moreLinks: [Section] {
        let kinds = Self.nearestKinds.filter(names.has(kind:)).map { kind in
            Item(
                name: words("nearest.\(kind)"),
                address: wish.link([
                    ("from", view.here == nil ? "" : "here"), ("to", "kind:\(kind)"),
                ]))
        }
        let panels = [
            ("home.directory", "directory"), ("home.free", "free"), ("mine", "mine"),
        ].map { Item(name: words($0.0), address: wish.link([("panel", $0.1)])) }
        return [
            Section(
                title: words("page.more"),
                items: Array(panels.prefix(2)) + kinds + panels.suffix(1),
                style: "links")
        ]
    }

    mutating func fillPanel() async {
        switch wish.panel {
        case .directory: view.sections += directory + (await directoryRooms)
        case .free: view.sections.append(await freeRooms)
        case .mine: view.sections += Self.mine(words, kept: Self.kept(reader), file: wish)
        case .floors, .ear, .camera, .settings, .live, .pair, .barriers, nil: break
        }
    }

    // MARK: The directory

    private var directory: [Section] {
        let all = names.index.document.directory
        let entries = all.prefix(Self.mostEntries)
        var sections = [
            Section(
                title: words("home.directory"),
                note: entries.isEmpty
                    ? words("page.noDirectory")
                    : entries.count < all.count
                        ? words("directory.more", ["count": String(entries.count)])
                        : words("directory.count", count: entries.count))
        ]
        let kinds = Dictionary(grouping: entries) { names.kind($0.kind) }
        for (kind, entries) in kinds.sorted(by: { inOrder($0.key, $1.key) }) {
            let items = toldApart(
                entries.map { entry in
                    let item = Item(
                        name: names.entry(entry), address: wish.link([("entry", entry.id.text)]),
                        line: entry.places.first.flatMap(names.place) ?? "")
                    return (item, entry.places.first)
                })
            sections.append(
                Section(
                    title: kind, level: 3, items: items.sorted { inOrder($0.name, $1.name) },
                    style: "names"))
        }
        return sections
    }

    /// The rooms of the floor that the app's directory lists: the one that its map would show.
    private var directoryRooms: [Section] {
        get async {
            // The page of a floor or of a place has its rooms below the map.
            guard wish.isList, view.card == nil else { return [] }
            let here = await reader.place(view.hereID, names)?.floor
            let floor = here.flatMap { names.index.floor(FloorID($0)) } ?? openingFloor
            return floor.map { [rooms(of: $0, most: Self.mostRooms)] } ?? []
        }
    }

    /// All places of a kind: from which of them is the nearest is asked by the form.
    func list(ofKind place: PagePlace) -> Section {
        let asked = PlaceKind(place.id)
        let rooms = names.index.rooms.filter { PlaceKind($0.kind).satisfies(asked) }
        var items = rooms.prefix(Self.mostRooms).map { room in
            Item(
                name: names.room(room), address: wish.link([("room", room.id.text)]),
                line: names.floor(room.floor.text) ?? "")
        }
        // A room and its entry of the directory are one place.
        let entries = names.index.document.directory.filter {
            PlaceKind($0.kind).satisfies(asked) && !$0.places.contains(where: isRoom)
        }
        items += entries.prefix(Self.mostRooms).map { entry in
            Item(
                name: names.entry(entry), address: wish.link([("entry", entry.id.text)]),
                line: entry.places.first.flatMap(names.place) ?? "")
        }
        return Section(
            title: place.name,
            // Lifts and the like may be connections alone, which have no cards to choose from.
            note: words(items.isEmpty ? "page.nearestOnly" : "page.nearestFrom"),
            items: items.sorted { inOrder($0.line + $0.name, $1.line + $1.name) }, style: "names")
    }

    private func isRoom(_ reference: PlaceReference) -> Bool {
        switch reference {
        case .room(let id): names.index.room(id) != nil
        case .location(let id): names.index.location(id)?.room != nil
        case .building, .floor, .zone: false
        }
    }

    // MARK: Free rooms

    private var freeRooms: Section {
        get async {
            let near = view.from.id.isEmpty ? view.hereID : view.from.id
            let isRoom = !near.isEmpty && !near.contains(":") && !near.contains(",")
            let answer = await reader.times(
                "rooms/free",
                [
                    ("language", wish.language), ("near", isRoom ? "room:\(near)" : ""),
                    ("stepFree", wish.profile == .walking || wish.isByEar ? "" : "true"),
                ])
            let title = words("home.free")
            guard let free = answer.flatMap({ try? ShownFreeRooms(json: $0) }) else {
                return Section(title: title, note: words("fault.down"))
            }
            let clock = PageClock(zone: free.timeZone, language: wish.language)
            let items = free.rooms.prefix(Self.mostFreeRooms).map { room in
                let parts = [
                    names.floor(room.floor),
                    room.freeUntil.map { words("free.until", ["time": clock.time($0)]) },
                    room.metres.map(words.distance), room.seconds.map(words.duration),
                    computers(in: room),
                ]
                return Item(
                    name: room.name, address: wish.link([("room", room.id)]),
                    line: parts.compactMap(\.self).joined(separator: " · "))
            }
            let notes = [
                free.rooms.isEmpty ? words("free.none") : nil,
                free.rooms.isEmpty || isRoom ? nil : words("free.noPlace"),
                free.unknownCount > 0 ? words("free.unknown", count: free.unknownCount) : nil,
            ].compactMap(\.self)
            return Section(
                title: title, note: notes.isEmpty ? nil : notes.joined(separator: " "),
                items: items)
        }
    }

    private func computers(in room: ShownFreeRooms.Room) -> String? {
        guard let free = room.freeComputers, let all = room.computers else { return nil }
        return free == 0
            ? words("computers.none") : words("computers.free", count: free, of: all)
    }

    // MARK: What is kept

    /// All but the session itself that the service may keep, with since when and until when; as
    /// the app lists them. An item with neither is never kept.
    private static let keptByService: [(name: String, since: String?, until: String?)] = [
        (name: "search", since: nil, until: nil),
        (name: "scan", since: nil, until: nil),
        (name: "tap", since: "mine.tap.since", until: "mine.tap.until"),
        (name: "barrier", since: "mine.barrier.since", until: "mine.barrier.until"),
        (name: "share", since: "mine.began", until: "mine.share.until"),
        (name: "pair", since: "mine.began", until: "mine.pair.until"),
    ]

    /// The data that is kept of a reader of this page, since when, why, and until when.
    static func kept(_ reader: PageReader) -> [KeptDataDocument.Item] {
        let words = reader.words
        let clock = PageClock(zone: nil, language: words.code)
        var items: [KeptDataDocument.Item] = []
        if let ends = reader.sessionEnds {
            items.append(
                KeptDataDocument.Item(
                    what: words("mine.session"), since: words("mine.session.since"),
                    why: words("mine.service.session"),
                    until: "\(clock.day(ends)), \(clock.time(ends)) UTC"))
        }
        // The app may have used the same session, so these are its items in its order.
        items += keptByService.map { item in
            KeptDataDocument.Item(
                what: words("mine.\(item.name)"), since: item.since.map { words($0) },
                why: words("mine.service.\(item.name)"), until: item.until.map { words($0) })
        }
        return items
    }

    private static func mine(
        _ words: PageWords, kept: [KeptDataDocument.Item], file wish: PageWish
    ) -> [Section] {
        [
            Section(
                title: words("mine"),
                note: words("mine.nothing") + " " + words("page.nothingKept"))
        ]
            + kept.map { item in
                let facts: [(label: String, line: String?)] = [
                    ("mine.what", item.since == nil ? words("mine.never") : nil),
                    ("mine.since", item.since), ("mine.why", item.why), ("mine.until", item.until),
                ]
                return Section(
                    title: item.what, level: 3,
                    items: facts.compactMap { label, line in
                        line.map { Item(name: words(label), line: $0) }
                    })
            } + [
                Section(
                    title: words("mine.file"), level: 3,
                    items: [
                        Item(
                            name: words("mine.take"),
                            address: wish.link([("panel", "mine"), ("as", "json")]))
                    ], style: "links")
            ]
    }

    /// The same as a file.
    static func keptData(_ reader: PageReader) -> HTTPResponse {
        HTTPResponse(
            headers: [
                ("content-type", "application/json"), ("cache-control", "private, no-store"),
                ("content-disposition", "attachment; filename=\"whereabouts.json\""),
            ],
            body: .bytes(KeptDataDocument(site: reader.site.text, kept: kept(reader)).json))
    }
}
