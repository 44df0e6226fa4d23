import Events
import Geometry
import Site

/// A way for people: a line, or the edge of an open area outdoors.
struct MapPath {
    /// Such as `w123`, with a suffix for a part or an inner edge.
    let id: String
    /// The way or the relation, such as `w123`.
    let source: String
    let kind: MapWords.PathKind
    let facts: TagFacts
    /// As tagged, each once; empty without a tag, which means outdoors.
    let levels: [MapLevel]
    /// At least two nodes, all with a position, no two equal ones in a row.
    let nodes: [Int64]
}

/// An enclosed area: a room, a corridor or an open area, on one level or several.
struct MapArea {
    let id: String
    /// The kind of room; empty for a building.
    let kind: String
    let facts: TagFacts
    let levels: [MapLevel]
    /// The nodes of the outer edge, without the repeated first one.
    let outer: [Int64]
    let inner: [[Int64]]
    /// The floor that a file of ours states; nil in files of others.
    var floor: FloorID?
    /// Whether a file of ours states its id.
    var isOwn = false
}

/// The nodes, ways and relations of a file, sorted by their use in a site.
struct MapContents {
    let nodes: MapNodes
    var paths: [MapPath] = []
    var areas: [MapArea] = []
    var buildings: [MapArea] = []
    var squares: [MapSquare] = []
    /// Ways that are doors: a piece of wall that opens.
    var doorWays: [MapPath] = []
    var walls: [MapWall] = []
    var things: [MapThing] = []
    /// The names of levels, as they are on the floors' signs.
    var levelNames: [MapLevel: String] = [:]
    var report: ImportReport
    let own: OwnSite
    /// Connections that state where they lead.
    var ownConnections: [OwnConnection] = []
    /// The nodes of these connections. They are no doors and lifts of their surroundings.
    var ownNodes: Set<Int64> = []
    /// The ids of ours that were read, each with its kind.
    var ownIDs: Set<String> = []

    init(_ data: OpenStreetMapData, nodes: MapNodes, own: OwnSite, report: ImportReport) {
        self.nodes = nodes
        self.own = own
        self.report = report
        addOwnNodes()
        var ways: [Int64: [Int64]] = [:]
        var relations: Set<Int64> = []
        for way in data.ways.sorted(by: { $0.id.isEarlier(than: $1.id) }) {
            guard ways.updateValue(way.nodes, forKey: way.id) == nil else {
                self.report.note("w\(way.id)", .duplicateIdentifier, "the file has it twice")
                continue
            }
            if !way.tags.isEmpty { add(way) }
        }
        for relation in data.relations.sorted(by: { $0.id.isEarlier(than: $1.id) })
        where relation.tags["type"] == "multipolygon" || relation.tags["indoor"] == "level" {
            guard relations.insert(relation.id).inserted else {
                self.report.note("r\(relation.id)", .duplicateIdentifier, "the file has it twice")
                continue
            }
            add(relation, ways)
        }
        for node in nodes.taggedIDs where !ownNodes.contains(node) {
            let tags = nodes.tags(node)
            addLevelNames(tags)
            if let thing = ownThing(tags, at: node) {
                things.append(thing)
            } else if let thing = MapThing("n\(node)", tags, at: .node(node)) {
                things.append(thing)
            }
        }
        paths += squares.flatMap(\.edges)
        let across = MapSquares(paths, nodes)
        paths += squares.flatMap { across.paths(across: $0) }
    }

    /// The corners of all rooms on all their levels, and of all buildings.
    var cornerCount: Int {
        (areas + buildings).reduce(0) { count, area in
            count + max(1, area.levels.count)
                * area.inner.reduce(area.outer.count) { $0 + $1.count }
        }
    }

    private mutating func add(_ way: OpenStreetMapData.Way) {
        let id = "w\(way.id)"
        let tags = way.tags
        addLevelNames(tags)
        let isClosed = way.nodes.count >= 4 && way.nodes.first == way.nodes.last
        if MapWords.isWall(tags), !isClosed || tags["area"] != "yes" {
            return addWall(id, tags, way.nodes)
        }
        if !isClosed, let own = ownConnection(id, tags, way.nodes) {
            ownConnections.append(own)
            return
        }
        if isClosed, tags[OwnTags.floor] == nil,
            let thing = MapThing(
                id, tags, at: .area(outline: Array(way.nodes.dropLast()), ids: [id]))
        {
            things.append(thing)
        }
        if tags["indoor"] == "door", !isClosed {
            guard let levels = levels(of: tags, id) else { return }
            doorWays += lines(id, .walk, tags, levels, way.nodes)
        } else if isClosed, MapWords.isArea(tags) {
            addArea(id, tags, outer: way.nodes, inner: [])
        } else if let kind = MapWords.path(tags), let levels = levels(of: tags, id) {
            paths += lines(id, kind, tags, levels, way.nodes)
        }
    }

    private mutating func add(_ relation: OpenStreetMapData.Relation, _ ways: [Int64: [Int64]]) {
        addLevelNames(relation.tags)
        guard relation.tags["type"] == "multipolygon" else { return }
        let thing =
            relation.tags[OwnTags.floor] != nil
            ? nil : MapThing("r\(relation.id)", relation.tags, at: .area(outline: [], ids: []))
        guard thing != nil || isWanted(relation.tags) else { return }
        let rings = MapRings(relation, ways)
        let id = "r\(relation.id)"
        if rings.lacksWays {
            report.note(id, .danglingReference, "the file lacks some of its ways")
        }
        if rings.hasOpenEnds {
            report.note(id, .danglingReference, "the ways of its edge do not close")
        }
        // A relation with one outer edge keeps its plain id.
        let parts = rings.outer.indices.map { rings.outer.count == 1 ? id : "\(id)-p\($0 + 1)" }
        if var thing {
            let outline = rings.outer.first.map { Array($0.dropLast()) } ?? []
            thing.place = .area(outline: outline, ids: parts)
            things.append(thing)
        }
        for (part, outer) in zip(parts, rings.outer) {
            let points = nodes.points(outer)
            let inner =
                rings.outer.count == 1
                ? rings.inner : rings.inner.filter { isInside($0, points) }
            addArea(part, relation.tags, outer: outer, inner: inner)
        }
    }

    private func isWanted(_ tags: OpenStreetMapData.Tags) -> Bool {
        MapWords.isBuilding(tags) || MapWords.path(tags) != nil
            || MapWords.room(tags, hasLevel: tags["level"] != nil) != nil
    }

    private func isInside(_ ring: [Int64], _ outline: [Point]) -> Bool {
        guard let polygon = Polygon(outline), let first = ring.first.flatMap(nodes.point) else {
            return false
        }
        return polygon.contains(first)
    }

    /// Adds an area from a closed way, or from a ring of a relation.
    private mutating func addArea(
        _ id: String, _ tags: OpenStreetMapData.Tags, outer: [Int64], inner: [[Int64]]
    ) {
        let hasLevel = tags["level"] != nil || tags["repeat_on"] != nil
        let kind = MapWords.room(tags, hasLevel: hasLevel)
        let path = MapWords.path(tags)
        guard kind != nil || path != nil || MapWords.isBuilding(tags) else { return }
        guard outer.allSatisfy({ nodes.point($0) != nil }) else {
            report.note(id, .danglingReference, "the file lacks some of its corners")
            return
        }
        let ring = withoutRepetitions(outer.dropLast())
        guard let levels = levels(of: tags, id) else { return }
        let rings = inner.filter { $0.allSatisfy { nodes.point($0) != nil } }.map {
            withoutRepetitions($0.dropLast())
        }
        let facts = TagFacts(tags)
        if kind != nil, let floor = ownFloor(tags), let own = ownID(tags, "room") {
            areas.append(
                MapArea(
                    id: own, kind: tags[OwnTags.kind] ?? kind ?? "", facts: facts,
                    levels: [MapLevel(whole: floor.ordinal)], outer: withoutOwnDoors(ring),
                    inner: rings.map(withoutOwnDoors), floor: floor.id, isOwn: true))
        } else if let kind, !levels.isEmpty || kind == "lift" {
            areas.append(
                MapArea(
                    id: id, kind: kind, facts: facts, levels: levels, outer: ring, inner: rings))
        } else if let path {
            squares.append(
                MapSquare(id: id, kind: path, facts: facts, outer: ring, inner: rings))
        } else if MapWords.isBuilding(tags) {
            let own = ownID(tags, "building")
            buildings.append(
                MapArea(
                    id: own ?? id, kind: "", facts: facts, levels: levels, outer: ring,
                    inner: rings, isOwn: own != nil))
        }
    }

    /// The parts of a way whose nodes the file has.
    private mutating func lines(
        _ id: String, _ kind: MapWords.PathKind, _ tags: OpenStreetMapData.Tags,
        _ levels: [MapLevel], _ ids: [Int64]
    ) -> [MapPath] {
        let stretches = ids.split(
            omittingEmptySubsequences: true, whereSeparator: { nodes.point($0) == nil }
        ).map { withoutRepetitions($0) }
        if ids.contains(where: { nodes.point($0) == nil }) {
            report.note(id, .danglingReference, "the file lacks some of its nodes")
        }
        let facts = TagFacts(tags)
        let lines = stretches.filter { $0.count >= 2 }.enumerated().map { number, nodes in
            MapPath(
                id: number == 0 ? id : "\(id)-s\(number + 1)", source: id, kind: kind,
                facts: facts, levels: levels, nodes: nodes)
        }
        if lines.isEmpty { report.note(id, .tooFewPoints, "it has fewer than two nodes") }
        return lines
    }

    /// Nil, with a note, if the tag is no level. Indoor things without a level count as level 0.
    private mutating func levels(of tags: OpenStreetMapData.Tags, _ id: String) -> [MapLevel]? {
        var levels: [MapLevel] = []
        for key in ["level", "repeat_on"] {
            guard let text = tags[key] else { continue }
            guard let more = MapLevels.read(text) else {
                report.note(id, .unknownLevel, "the value of \(key) is not a level")
                return nil
            }
            for level in more where !levels.contains(level) { levels.append(level) }
        }
        let indoor = tags["indoor"].map { $0 != "no" } ?? false
        if levels.isEmpty, indoor || tags["highway"] == "corridor", !MapWords.isLift(tags) {
            report.note(id, .guessedLevel, "it is indoors without a level, so it is put on 0")
            levels = [.ground]
        }
        return levels
    }

    /// Adds names of levels: from `level:ref`, one for each tagged level, or the name of a level's
    /// own outline.
    private mutating func addLevelNames(_ tags: OpenStreetMapData.Tags) {
        let facts = TagFacts(tags)
        let isLevel = tags["indoor"] == "level"
        guard let text = facts.text("level:ref") ?? (isLevel ? facts.name : nil),
            let levels = tags["level"].flatMap(MapLevels.read)
        else { return }
        let names =
            levels.count == 1
            ? [text]
            : text.split(separator: ";").map { String($0.drop(while: { $0 == " " })) }
        guard names.count == levels.count else { return }
        for (level, name) in zip(levels, names) where !name.isEmpty {
            if isLevel || levelNames[level] == nil { levelNames[level] = name }
        }
    }

    private mutating func addWall(_ id: String, _ tags: OpenStreetMapData.Tags, _ ids: [Int64]) {
        report.count("walls")
        let known = withoutRepetitions(ids.filter { nodes.point($0) != nil })
        if known.count < Set(ids).count {
            report.note(id, .danglingReference, "the file lacks some of its nodes")
        }
        guard known.count >= 2, let levels = levels(of: tags, id) else { return }
        walls.append(MapWall(id: id, levels: levels, nodes: known))
    }

    private func withoutRepetitions(_ ids: some Sequence<Int64>) -> [Int64] {
        var kept: [Int64] = []
        for id in ids where kept.last != id { kept.append(id) }
        return kept
    }
}
