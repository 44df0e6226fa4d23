import Geometry

/// The points that a scan is compared with: surveyed places, each with its fingerprints.
///
/// A standing survey has many fingerprints at one point. A walked survey has a point for each
/// fingerprint. Its points are grouped into cells, because a single fingerprint is mostly noise.
struct Anchors: Sendable {
    /// The side of a cell of a walked survey, in metres.
    static let cellMetres = 2.0
    /// A survey counts as walked when its points are more than this share of its fingerprints.
    static let walkedShare = 0.5
    /// A walked survey needs more fingerprints than this. Fewer can be compared one by one.
    static let fewestWalked = 1_500

    let points: [Point]
    /// Indices into the map's floors, ascending.
    let floors: [Int32]
    /// Indices into the map's rooms, each the room of the anchor's first fingerprint; -1 outside of
    /// every room.
    let rooms: [Int32]
    /// One element more than anchors. The rows of anchor `a` are `rows[rowStart[a]..<rowStart[a +
    /// 1]]`.
    let rowStart: [Int32]
    /// Indices of the map's fingerprints, ordered by anchor.
    let rows: [Int32]

    var count: Int { points.count }

    private struct Key: Hashable, Comparable {
        let floor: Int32
        let x: Int64
        let y: Int64

        static func < (left: Key, right: Key) -> Bool {
            (left.floor, left.x, left.y) < (right.floor, right.x, right.y)
        }
    }

    /// - Parameter fingerprints: indices of the map's fingerprints to use, ascending.
    init(_ map: RadioMap, of fingerprints: [Int32]) {
        func grouped(by metres: Double, _ rule: FloatingPointRoundingRule) -> [Key: [Int32]] {
            Dictionary(grouping: fingerprints) { number in
                let fingerprint = map.fingerprints[Int(number)]
                return Key(
                    floor: fingerprint.floor,
                    x: Int64((fingerprint.point.x / metres).rounded(rule)),
                    y: Int64((fingerprint.point.y / metres).rounded(rule)))
            }
        }
        var members = grouped(by: 0.1, .toNearestOrAwayFromZero)
        let isWalked =
            fingerprints.count > Self.fewestWalked
            && Double(members.count) > Self.walkedShare * Double(fingerprints.count)
        if isWalked { members = grouped(by: Self.cellMetres, .down) }
        let keys = members.keys.sorted()
        var points: [Point] = []
        var rooms: [Int32] = []
        var rowStart: [Int32] = [0]
        var rows: [Int32] = []
        for key in keys {
            let own = members[key]!
            let count = Double(own.count)
            points.append(
                Point(
                    x: own.reduce(0) { $0 + map.fingerprints[Int($1)].point.x } / count,
                    y: own.reduce(0) { $0 + map.fingerprints[Int($1)].point.y } / count))
            rooms.append(map.fingerprints[Int(own[0])].room)
            rows += own
            rowStart.append(Int32(rows.count))
        }
        self.points = points
        self.rooms = rooms
        self.rowStart = rowStart
        self.rows = rows
        floors = keys.map(\.floor)
    }

    /// The anchor's own rows, as a range of indices into `rows`.
    func rows(of anchor: Int) -> Range<Int> {
        Int(rowStart[anchor])..<Int(rowStart[anchor + 1])
    }
}

extension Anchors {
    /// Whether an anchor of the floor is within `metres` of the point.
    func cover(_ point: Point, _ floor: Int32, within metres: Double) -> Bool {
        points.indices.contains { index in
            floors[index] == floor && points[index].distance(to: point) < metres
        }
    }
}
