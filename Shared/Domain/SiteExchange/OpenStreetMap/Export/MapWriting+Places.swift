import Events
import Geometry
import Site

extension MapWriting {
    // MARK: The site, its buildings and floors

    mutating func addSite() {
        var tags = named(site.name, site.names)
        tags["type"] = "site"
        tags["site"] = "building"
        tags["attribution"] = site.attribution
        tags[OwnTags.frame] = [
            site.originLatitude, site.originLongitude, site.bearingDegrees,
        ].map(WellKnownText.number).joined(separator: ";")
        addRelation([], tags)
    }

    mutating func addBuildings() {
        let storeys = Dictionary(grouping: site.floors, by: \.building)
        for building in site.buildings {
            var tags = named(building.name, building.names)
            tags[OwnTags.id] = building.id.text
            tags["timezone"] = building.timeZone
            tags["addr:full"] = building.address
            let ordinals = storeys[building.id]?.map(\.ordinal).sorted() ?? []
            if let low = ordinals.first, let high = ordinals.last {
                tags["min_level"] = String(low)
                tags["max_level"] = String(high)
                let missing = Set(low...high).subtracting(ordinals).sorted().map(String.init)
                if !missing.isEmpty { tags["non_existent_levels"] = missing.joined(separator: ";") }
            }
            tags["building"] = "yes"
            let nodes = ring(building.outline, on: nil)
            if nodes.count > 3 {
                addWay(nodes, tags)
            } else {
                tags["type"] = "building"
                addRelation([], tags)
            }
        }
    }

    mutating func addFloors() {
        for floor in site.floors {
            var tags = named(floor.level, floor.names)
            tags["type"] = "level"
            tags["indoor"] = "level"
            tags["level"] = String(floor.ordinal)
            tags[OwnTags.id] = floor.id.text
            tags[OwnTags.building] = floor.building.text
            addRelation([], tags)
        }
    }

    // MARK: Rooms

    mutating func addRooms() {
        for room in site.rooms where room.outline.corners.count >= 3 && !room.isProposed {
            let doors = doors[room.id] ?? []
            let outline = ring(room.outline, on: room.floor, with: doors)
            guard outline.count > 3 else { continue }
            var tags = tags(of: room)
            if room.holes.isEmpty {
                addWay(outline, tags)
                continue
            }
            let holes = room.holes.map { ring($0, on: room.floor, with: doors) }
            var members = [(way: addWay(outline, [:]), role: "outer")]
            for hole in holes where hole.count > 3 { members.append((addWay(hole, [:]), "inner")) }
            tags["type"] = "multipolygon"
            addRelation(members, tags)
        }
    }

    private func tags(of room: RoomRecord) -> Tags {
        var tags = named(room.name, room.names)
        tags["level"] = levels([room.floor])
        tags[OwnTags.id] = room.id.text
        tags[OwnTags.floor] = room.floor.text
        for (key, value) in Self.tags(ofKind: room.kind) { tags[key] = value }
        if MapWords.room(tags, hasLevel: true) != room.kind { tags[OwnTags.kind] = room.kind }
        tags["wheelchair"] = room.accessible == .unknown ? nil : room.accessible.rawValue
        if room.isRestricted { tags["access"] = "private" }
        tags["opening_hours"] = room.openingHours
        tags["surface"] = room.surface
        tags["tactile_paving"] = room.hasTactilePaving.map { $0 ? "yes" : "no" }
        return tags
    }

    /// As Simple Indoor Tagging has it.
    private static func tags(ofKind kind: String) -> Tags {
        switch kind {
        case "corridor", "area", "column": ["indoor": kind]
        case "wall": ["indoor": "wall", "area": "yes"]
        case "platform": ["indoor": "area", "public_transport": "platform"]
        case "lift": ["indoor": "room", "room": "elevator"]
        case "stairs": ["indoor": "room", "room": "stairs", "stairs": "yes"]
        case "toilet": ["indoor": "room", "room": "toilets", "amenity": "toilets"]
        case "", "room", "yes": ["indoor": "room"]
        default: ["indoor": "room", "room": kind]
        }
    }

    // MARK: Directory

    private static let amenities: Set = [
        "bank", "bar", "cafe", "canteen", "clinic", "fast_food", "library", "pharmacy", "pub",
        "restaurant", "theatre", "toilets",
    ]

    /// A node in the first of its places that has a point.
    mutating func addDirectory() {
        var rooms: [RoomID: RoomRecord] = [:]
        for room in site.rooms { rooms[room.id] = room }
        var buildings: [BuildingID: BuildingRecord] = [:]
        for building in site.buildings { buildings[building.id] = building }
        for entry in site.directory {
            let places = entry.places.compactMap(OwnTags.text).joined(separator: ";")
            guard !places.isEmpty, places.utf8.count <= OwnTags.longestBytes,
                let point = entry.places.lazy.compactMap({ (place) -> Point? in
                    switch place {
                    case .room(let id): rooms[id]?.outline.polygon?.innerPoint
                    case .building(let id): buildings[id]?.outline.polygon?.innerPoint
                    case .floor, .location, .zone: nil
                    }
                }).first
            else { continue }
            var tags = named(entry.name, entry.names)
            switch entry.kind {
            case "shop", "office": tags[entry.kind] = "yes"
            case let kind: tags[Self.amenities.contains(kind) ? "amenity" : "office"] = kind
            }
            tags[OwnTags.id] = entry.id.text
            tags[OwnTags.places] = places
            tags["opening_hours"] = entry.openingHours
            tags["website"] = entry.website
            tags["phone"] = entry.telephone
            guard MapThing("", tags, at: .node(0)) != nil else { continue }
            if case .room(let id)? = entry.places.first {
                tags["level"] = levels([rooms[id]?.floor])
            }
            _ = addNode(point, tags)
        }
    }
}
