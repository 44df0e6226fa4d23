import SeededRandomness
import SiteExchange

/// Changes a map part by part. It stays a map, but an unlikely one.
enum MapDamage {
    private static let keys = [
        "level", "repeat_on", "indoor", "highway", "building", "area", "railway", "door",
        "entrance",
        "conveying", "incline", "width", "wheelchair", "access", "name", "name:de", "type",
        "stairs",
        "barrier", "kerb", "layer", "step_count", "oneway", "opening_hours", "shop", "room",
        "level:ref", "surface", "min_level", "max_level", "non_existent_levels", "public_transport",
        "amenity", "office", "website", "phone", "brand",
    ]
    private static let values = [
        "0", "1", "-1", "0;1", "0-3", "-3--1", "-100-300", "0.5", "0;0.5;1", "9999", "EG", "", ";",
        "-",
        "yes", "no", "room", "area", "corridor", "wall", "door", "level", "steps", "elevator",
        "footway", "pedestrian", "platform", "up", "down", "10%", "-999%", "1e308%", "NaN", "inf",
        "-5", "1e-300 m", "5'6\"", "private", "forward", "backward", "multipolygon", "gate", "main",
        "\u{202e}x", "a\u{0}b", "é", "\u{1F600}", "\t", "../..", "true", "-1;0;1;2;3;4;5;6;7;8",
        String(repeating: "n", count: 500), String(repeating: "0;", count: 300),
    ]

    static func damage(_ map: inout OpenStreetMapData, _ random: inout SeededRandom) {
        for _ in 0..<Int.random(in: 1...8, using: &random) {
            switch Int.random(in: 0..<4, using: &random) {
            case 0: damageNode(&map, &random)
            case 1, 2: damageWay(&map, &random)
            default: damageRelation(&map, &random)
            }
        }
    }

    private static func damageNode(_ map: inout OpenStreetMapData, _ random: inout SeededRandom) {
        guard let index = map.nodes.indices.randomElement(using: &random) else { return }
        let other = map.nodes[Int.random(in: map.nodes.indices, using: &random)]
        switch Int.random(in: 0..<9, using: &random) {
        case 0: map.nodes.remove(at: index)
        case 1: map.nodes.append(map.nodes[index])
        case 2:
            map.nodes[index].latitude = other.latitude
            map.nodes[index].longitude = other.longitude
        case 3:
            map.nodes[index].latitude = [91, -90, 85.5, 0, 180, .nan].randomElement(using: &random)
        case 4: map.nodes[index].longitude = [181, -180, 0, 179.9].randomElement(using: &random)
        case 5: map.nodes[index].latitude = nil
        case 6: map.nodes[index].id = id(&random, among: map.nodes.map(\.id))
        case 7: map.nodes[index].latitude = other.latitude
        default: damageTags(&map.nodes[index].tags, &random)
        }
    }

    private static func damageWay(_ map: inout OpenStreetMapData, _ random: inout SeededRandom) {
        guard let index = map.ways.indices.randomElement(using: &random) else { return }
        switch Int.random(in: 0..<9, using: &random) {
        case 0: map.ways.remove(at: index)
        case 1: map.ways.append(map.ways[index])
        case 2: map.ways[index].nodes.shuffle(using: &random)
        case 3: map.ways[index].nodes.reverse()
        case 4:
            let nodes = map.nodes.map(\.id)
            let place = Int.random(in: 0...map.ways[index].nodes.count, using: &random)
            map.ways[index].nodes.insert(id(&random, among: nodes), at: place)
        case 5: _ = map.ways[index].nodes.popLast()
        case 6: map.ways[index].id = id(&random, among: map.ways.map(\.id))
        default: damageTags(&map.ways[index].tags, &random)
        }
    }

    private static func damageRelation(
        _ map: inout OpenStreetMapData, _ random: inout SeededRandom
    ) {
        guard let index = map.relations.indices.randomElement(using: &random) else { return }
        let members = map.relations[index].members
        switch Int.random(in: 0..<5, using: &random) {
        case 0: map.relations[index].members.shuffle(using: &random)
        case 1: map.relations[index].members += members
        case 2:
            let way = id(&random, among: map.ways.map(\.id))
            let role = ["outer", "inner", "", "x"].randomElement(using: &random) ?? ""
            map.relations[index].members.append(.init(kind: .way, id: way, role: role))
        case 3: map.relations[index].id = id(&random, among: map.relations.map(\.id))
        default: damageTags(&map.relations[index].tags, &random)
        }
    }

    private static func damageTags(
        _ tags: inout OpenStreetMapData.Tags, _ random: inout SeededRandom
    ) {
        let known = tags.keys.sorted()
        if let key = known.randomElement(using: &random), Bool.random(using: &random) {
            tags[key] = Bool.random(using: &random) ? values.randomElement(using: &random) : nil
        } else if let key = keys.randomElement(using: &random) {
            tags[key] = values.randomElement(using: &random)
        }
    }

    private static func id(_ random: inout SeededRandom, among ids: [Int64]) -> Int64 {
        let odd: [Int64] = [0, -1, .max, .min, .min + 1, 1 << 40, 4_000_000_000]
        return (Bool.random(using: &random) ? ids : odd).randomElement(using: &random) ?? 1
    }
}
