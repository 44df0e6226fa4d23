import Events
import Geometry
import Site

/// The features of one floor.
struct FloorParts {
    private let site: SiteIndex
    private let floor: FloorRecord
    private(set) var features: [MapFeature] = []
    /// Whether a door of the floor leads outdoors.
    private(set) var hasWayOut = false

    init(_ site: SiteIndex, _ floor: FloorRecord) {
        self.site = site
        self.floor = floor
        addOutline()
        addRooms()
        addZones()
        for connection in site.document.connections
        where connection.stops.contains(where: { $0.floor == floor.id }) {
            add(connection)
        }
        for location in site.document.locations where location.floor == floor.id {
            guard let name = location.name else { continue }
            features.append(
                MapFeature(
                    .place, id: location.id.text, category: "place", name: name,
                    names: location.names, floors: [floor.id],
                    shape: .point(location.point)))
        }
    }

    private mutating func addOutline() {
        let building = site.building(floor.building)
        let own = AreaShape(floor.outline) ?? building.flatMap { AreaShape($0.outline) }
        guard let own else { return }
        features.append(
            MapFeature(
                .floor, id: floor.id.text, category: "floor", name: floor.level,
                names: floor.names, floors: [floor.id], shape: .area(own)))
    }

    private mutating func addRooms() {
        for room in site.rooms where room.floor == floor.id {
            guard let shape = AreaShape(room.outline, holes: room.holes) else { continue }
            var feature = MapFeature(
                .area, id: room.id.text, category: room.kind, name: room.name, names: room.names,
                floors: [floor.id], shape: .area(shape))
            feature.accessible = room.accessible
            feature.isRestricted = room.isRestricted
            feature.openingHours = room.openingHours
            feature.labelPoint = shape.pole(precisionMetres: 0.1)
            features.append(feature)
        }
    }

    private mutating func addZones() {
        for zone in site.document.zones where zone.floor == floor.id {
            guard let shape = AreaShape(zone.outline) else { continue }
            var feature = MapFeature(
                .zone, id: zone.id.text, category: zone.kind, name: zone.name, names: zone.names,
                floors: [floor.id], shape: .area(shape))
            feature.labelPoint = shape.pole(precisionMetres: 0.1)
            features.append(feature)
        }
    }

    private mutating func add(_ connection: ConnectionRecord) {
        guard let stop = connection.stops.first(where: { $0.floor == floor.id }) else { return }
        let point = stop.point
        let line = connection.points
        var feature: MapFeature
        switch connection.kind {
        case .door:
            let leadsOut = connection.stops.contains { $0.floor == nil }
            let opening = DoorOpening(connection, at: point, on: floor.id, in: site)
            feature = MapFeature(
                connection, leadsOut ? .entrance : .door,
                opening.map { .line([$0.start, $0.end]) } ?? .point(point))
            if leadsOut {
                hasWayOut = true
                feature.outwards = opening?.outwards
            }
        case .lift: feature = MapFeature(connection, .lift, .point(point))
        case .platformLift: feature = MapFeature(connection, .platformLift, .point(point))
        case .stairs, .escalator, .ramp:
            feature = MapFeature(connection, connection.layer, connection.shape(else: point))
            feature.rises = rises(connection)
        case .walk:
            if connection.stops.contains(where: { $0.floor == nil }) { hasWayOut = true }
            guard line.count > 1 else { return }
            feature = MapFeature(connection, .corridor, .line(line))
        }
        feature.levels = site.levels(of: feature.floors)
        features.append(feature)
    }

    private func rises(_ connection: ConnectionRecord) -> Bool? {
        let ordinals = connection.stops.compactMap { stop in
            stop.floor.flatMap { site.floor($0)?.ordinal }
        }
        guard let first = ordinals.first, let last = ordinals.last, first != last else {
            return connection.slope.flatMap { $0 == 0 ? nil : $0 > 0 }
        }
        return first < last
    }
}

/// The features outdoors.
struct OutdoorParts {
    private let site: SiteIndex
    private let near: BoundingBox?

    /// - Parameter near: only features that are at least partly in this box are included; nil for
    ///   all.
    init(_ site: SiteIndex, near: BoundingBox? = nil) {
        self.site = site
        self.near = near
    }

    var all: [MapFeature] {
        let document = site.document
        var features: [MapFeature] = []
        if let ground = AreaShape(document.outline) {
            features.append(
                MapFeature(
                    .ground, id: "ground", category: "ground", name: document.name,
                    names: document.names, shape: .area(ground)))
        }
        for building in document.buildings {
            guard let shape = AreaShape(building.outline), isNear(shape.outline.corners) else {
                continue
            }
            var feature = MapFeature(
                .building, id: building.id.text, category: "building", name: building.name,
                names: building.names, shape: .area(shape))
            feature.labelPoint = shape.pole(precisionMetres: 0.5)
            features.append(feature)
        }
        for connection in document.connections
        where connection.stops.allSatisfy({ $0.floor == nil }) {
            let points = connection.points
            guard let first = points.first, isNear(points) else { continue }
            var feature = MapFeature(
                connection, connection.layer, connection.shape(else: first))
            feature.rises = connection.slope.flatMap { $0 == 0 ? nil : $0 > 0 }
            features.append(feature)
        }
        for zone in document.zones where zone.floor == nil {
            guard let shape = AreaShape(zone.outline), isNear(shape.outline.corners) else {
                continue
            }
            var feature = MapFeature(
                .zone, id: zone.id.text, category: zone.kind, name: zone.name, names: zone.names,
                shape: .area(shape))
            feature.labelPoint = shape.pole(precisionMetres: 0.5)
            features.append(feature)
        }
        return features
    }

    private func isNear(_ points: [Point]) -> Bool {
        guard let near else { return true }
        return BoundingBox(points)?.intersects(near) ?? false
    }

    /// The points outdoors of doors between buildings and outdoors.
    var entrances: [MapFeature] {
        site.document.connections.compactMap { connection in
            guard connection.kind == .door,
                let inside = connection.stops.first(where: { $0.floor != nil }),
                let floor = inside.floor,
                let outside = connection.stops.first(where: { $0.floor == nil })
            else { return nil }
            let point = outside.point
            var feature = MapFeature(connection, .entrance, .point(point))
            feature.outwards = DoorOpening(connection, at: point, on: floor, in: site)?.outwards
            feature.levels = site.levels(of: feature.floors)
            return feature
        }
    }
}

extension SiteIndex {
    /// The levels on the floors' signs, from the lowest floor up.
    fileprivate func levels(of floors: [FloorID]) -> [String] {
        floors.compactMap { floor($0) }.sorted { $0.ordinal < $1.ordinal }.map(\.level)
    }
}

extension MapFeature {
    fileprivate init(_ connection: ConnectionRecord, _ layer: Layer, _ shape: Shape) {
        let floors = connection.stops.compactMap(\.floor).reduce(into: [FloorID]()) {
            if !$0.contains($1) { $0.append($1) }
        }
        self.init(
            layer, id: connection.id.text, category: connection.kind.rawValue,
            name: connection.name, names: connection.names, floors: floors, shape: shape)
        accessible = connection.accessible
        isAutomatic = connection.isAutomatic
        isOneWay = connection.isOneWay
        widthMetres = connection.widthMetres
        openingHours = connection.openingHours
    }
}

extension ConnectionRecord {
    fileprivate var layer: MapFeature.Layer {
        switch kind {
        case .walk: .path
        case .door: .door
        case .stairs: .stairs
        case .ramp: .ramp
        case .lift: .lift
        case .platformLift: .platformLift
        case .escalator: .escalator
        }
    }

    /// The points from the first stop over the bends to the last, without repetitions.
    fileprivate var points: [Point] {
        guard let first = stops.first, let last = stops.last else { return [] }
        let all =
            line.isEmpty
            ? stops.map(\.point)
            : [first.point] + line + [last.point]
        return all.reduce(into: []) { if $0.last != $1 { $0.append($1) } }
    }

    fileprivate func shape(else point: Point) -> MapFeature.Shape {
        let points = points
        return points.count > 1 ? .line(points) : .point(point)
    }
}
