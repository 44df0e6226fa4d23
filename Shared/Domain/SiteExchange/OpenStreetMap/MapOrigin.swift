import Geometry
import Site

/// The origin and the name of a map.
enum MapOrigin {
    /// The frame at the median latitude and longitude of the nodes, rounded to four decimals
    /// (eleven metres). So it stays the same when a few nodes change, and a distant node does not
    /// move it. Nil without nodes.
    static func frame(of data: OpenStreetMapData) -> LocalFrame? {
        let places = data.nodes.compactMap(\.place).filter {
            abs($0.latitude) <= SiteLimits.latitudeDegrees
        }
        guard !places.isEmpty else { return nil }
        return LocalFrame(
            originLatitude: rounded(places.map(\.latitude).sorted()[places.count / 2]),
            originLongitude: rounded(places.map(\.longitude).sorted()[places.count / 2]),
            bearingDegrees: 0)
    }

    private static func rounded(_ degrees: Double) -> Double {
        (degrees * 10_000).rounded() / 10_000
    }

    /// The site's name. It is the first of these that the file has:
    /// - the name of a station,
    /// - that of a building whose levels are tagged,
    /// - that of a town or a part of it,
    /// - that of the only building with a name.
    ///
    /// Nil if the file has none of them. A town is not named after one of several houses.
    static func name(of data: OpenStreetMapData) -> String? {
        let all =
            data.nodes.lazy.map { ($0.tags, 0, $0.id) } + data.ways.lazy.map { ($0.tags, 1, $0.id) }
            + data.relations.lazy.map { ($0.tags, 2, $0.id) }
        var best: (rank: Int, kind: Int, id: Int64, name: String)?
        var houses: Set<String> = []
        for (tags, kind, id) in all where !tags.isEmpty {
            guard let rank = rank(tags, isNode: kind == 0), let name = TagFacts(tags).text("name")
            else { continue }
            if rank == houseRank { houses.insert(name) }
            if let found = best, (found.rank, found.kind, found.id) <= (rank, kind, id) { continue }
            best = (rank, kind, id, name)
        }
        return best?.rank == houseRank && houses.count > 1 ? nil : best?.name
    }

    private static let places = ["city", "town", "village", "suburb", "neighbourhood"]
    private static let houseRank = 4 + places.count

    private static func rank(_ tags: OpenStreetMapData.Tags, isNode: Bool) -> Int? {
        if tags["railway"] == "station" || tags["public_transport"] == "station" { return 0 }
        if tags["building"] == "train_station" { return 1 }
        if tags["indoor"] == "yes", tags["building"] != nil { return 2 }
        if tags["building"] != nil, tags["min_level"] != nil || tags["max_level"] != nil {
            return 3
        }
        // Only nodes count: the boundaries in an extract may belong to a place far away.
        if isNode, let place = tags["place"].flatMap({ places.firstIndex(of: $0) }) {
            return 4 + place
        }
        return tags["building"] == nil || tags["building"] == "no" ? nil : houseRank
    }
}
