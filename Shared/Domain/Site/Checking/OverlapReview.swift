import Events
import Geometry

/// Finds rooms of a floor that overlap without one lying in the other.
struct OverlapReview {
    /// Square metres that two rooms may share, because each has its own drawing of their common
    /// wall.
    private static let slack = 0.25
    /// The share of the smaller room that must lie in the larger one for it to count as inside.
    private static let nested = 0.97

    private(set) var findings: [ReviewFinding] = []

    init(_ site: SiteIndex) {
        var byFloor: [FloorID: [Int]] = [:]
        for (index, room) in site.rooms.enumerated() where site.outline(RoomIndex(index)) != nil {
            byFloor[room.floor, default: []].append(index)
        }
        for floor in site.floors { review(byFloor[floor.id] ?? [], site) }
    }

    /// Rooms are sorted by the left edges of their boxes, so that only rooms whose boxes overlap
    /// are compared.
    private mutating func review(_ rooms: [Int], _ site: SiteIndex) {
        let boxed = rooms.compactMap { index in
            site.outline(RoomIndex(index)).map { (index: index, polygon: $0) }
        }.sorted { $0.polygon.boundingBox.minimum.x < $1.polygon.boundingBox.minimum.x }
        for (position, one) in boxed.enumerated() {
            for other in boxed[(position + 1)...] {
                if other.polygon.boundingBox.minimum.x >= one.polygon.boundingBox.maximum.x {
                    break
                }
                guard one.polygon.boundingBox.intersects(other.polygon.boundingBox) else {
                    continue
                }
                judge(one.index, one.polygon, other.index, other.polygon, site)
            }
        }
    }

    private mutating func judge(
        _ one: Int, _ first: Polygon, _ other: Int, _ second: Polygon, _ site: SiteIndex
    ) {
        let shared = first.sharedArea(with: second)
        let (small, large) = (min(first.area, second.area), max(first.area, second.area))
        guard shared > max(Self.slack, small * 0.02) else { return }
        let isWithin = shared >= small * Self.nested && small < large * Self.nested
        guard !isWithin else { return }
        let (left, right) = (site.rooms[min(one, other)], site.rooms[max(one, other)])
        let metres = (shared * 10).rounded() / 10
        findings.append(
            ReviewFinding(
                .roomsOverlap, .warning, [.room(left.id), .room(right.id)],
                "\(ReachReview.name(left)) and \(ReachReview.name(right)) share \(metres) m²."))
    }
}
