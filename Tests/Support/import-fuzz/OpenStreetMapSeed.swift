import SiteExchange

/// A small station with everything that the import handles: two buildings, rooms, a hall with a
/// hole, doors and stairs. It also has an escalator, lifts as nodes and as areas, a platform, and a
/// street with a gate.
enum OpenStreetMapSeed {
    static var map: OpenStreetMapData {
        var map = OpenStreetMapData()
        func node(_ id: Int64, _ x: Double, _ y: Double, _ tags: [String: String] = [:]) {
            // One step is about a metre.
            map.nodes.append(
                .init(
                    id: id, latitude: 51.5 + y * 0.000_009, longitude: x * 0.000_014_4, tags: tags))
        }
        func rectangle(_ id: Int64, _ x: Double, _ y: Double, _ wide: Double, _ high: Double)
            -> [Int64]
        {
            node(id, x, y)
            node(id + 1, x + wide, y)
            node(id + 2, x + wide, y + high)
            node(id + 3, x, y + high)
            return [id, id + 1, id + 2, id + 3, id]
        }
        func way(_ id: Int64, _ nodes: [Int64], _ tags: [String: String]) {
            map.ways.append(.init(id: id, nodes: nodes, tags: tags))
        }
        way(1, rectangle(10, 0, 0, 60, 40), ["building": "train_station", "name": "Seed"])
        way(2, rectangle(20, 0, 0, 20, 20), ["indoor": "room", "level": "0-2", "name": "A"])
        node(30, 20, 10, ["door": "hinged", "automatic_door": "yes", "width": "0.9"])
        way(3, [11, 12, 30, 22, 23, 11], ["indoor": "corridor", "level": "0;1"])
        way(4, rectangle(40, 30, 5, 25, 30), ["indoor": "area", "level": "0"])
        way(5, rectangle(50, 35, 10, 5, 5), ["type": "inner"])
        map.relations.append(
            .init(
                id: 6,
                members: [
                    .init(kind: .way, id: 4, role: "outer"),
                    .init(kind: .way, id: 5, role: "inner"),
                ],
                tags: ["type": "multipolygon", "indoor": "area", "level": "1", "name:de": "Halle"]))
        node(60, 41, 5, ["highway": "elevator", "level": "0;1;-1", "wheelchair": "yes"])
        way(7, [40, 60], ["highway": "corridor", "level": "0"])
        node(61, 70, 5, ["entrance": "main"])
        way(8, [60, 61], ["highway": "footway", "level": "-1", "repeat_on": "-2"])
        node(62, 90, 5)
        way(
            9, [61, 62], ["highway": "steps", "level": "-1;0", "incline": "up", "step_count": "9"])
        node(63, 90, 25, ["barrier": "gate", "access": "private"])
        node(64, 90, 45, ["kerb": "lowered"])
        way(10, [62, 63, 64], ["highway": "footway", "footway": "crossing", "surface": "asphalt"])
        way(11, [64, 61], ["highway": "steps", "conveying": "forward", "level": "0;2"])
        way(12, rectangle(70, 5, 25, 4, 4), ["highway": "elevator", "level": "0-3"])
        way(13, rectangle(80, 12, 25, 4, 8), ["indoor": "room", "stairs": "yes", "level": "0-1"])
        way(14, rectangle(90, 0, 60, 90, 8), ["railway": "platform", "level": "1", "ref": "1;2"])
        way(15, [20, 23], ["indoor": "wall", "level": "0"])
        way(16, [41, 42], ["indoor": "door", "level": "0"])
        way(17, rectangle(100, 100, 0, 30, 30), ["highway": "pedestrian", "area": "yes"])
        way(19, rectangle(110, 130, 0, 10, 30), ["shop": "books", "level": "0", "name": "Books"])
        way(20, [101, 110, 113, 102, 101], ["shop": "shoes", "level": "0"])
        node(120, 40, 20)
        node(121, 42, 20, ["door": "yes", "level": "0"])
        node(122, 50, 22)
        way(21, [120, 121, 122], ["indoor": "wall", "level": "0;1"])
        node(123, 38, 30, ["amenity": "cafe", "name": "Café", "level": "0", "phone": "+1 2"])
        way(22, rectangle(130, 36, 28, 1, 1), ["indoor": "column", "level": "0"])
        way(18, [101, 62], ["highway": "residential", "oneway": "yes", "incline": "-8%"])
        return map
    }
}
