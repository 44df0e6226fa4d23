import Events
import Geometry
import Site

extension LegWriter {
    /// The greatest distance in metres between a path and a door that people notice.
    private static let nearMetres = 3.0
    /// Metres at either end of a leg. Doors there are those that the traveller comes from or goes
    /// to.
    private static let endMetres = 0.5

    /// Rooms whose doors the path passes.
    ///
    /// - Parameter space: the space of the walk; nil for all doors of the floor.
    func passedRooms(along points: [Point], on floor: FloorIndex, in space: Int?) -> [PassedRoom] {
        let whole = points.lengthMetres
        guard whole > 2 * Self.endMetres, let box = BoundingBox(points) else { return [] }
        var passed: [PassedRoom] = []
        for door in network.doorsOfFloor[floor.value]
        where box.contains(door.point, tolerance: Self.nearMetres) {
            if let space, network.spaceOfRoom[door.room] == space { continue }
            guard let found = nearest(to: door.point, on: points),
                found.distance <= Self.nearMetres, found.along > Self.endMetres,
                found.along < whole - Self.endMetres
            else { continue }
            if let space, !isDoor(at: door.point, of: space) { continue }
            let room = network.site.room(door.room).id
            guard !passed.contains(where: { $0.room == room }) else { continue }
            passed.append(PassedRoom(room: room, side: found.side, metresAlong: found.along))
        }
        return passed.sorted { ($0.metresAlong, $0.room) < ($1.metresAlong, $1.room) }
    }

    private func isDoor(at point: Point, of space: Int) -> Bool {
        network.spaces[space].entries.contains { $0.step[0].distance(to: point) < 0.001 }
    }

    private func nearest(
        to point: Point, on points: [Point]
    ) -> (distance: Double, along: Double, side: PassedRoom.Side)? {
        var best: (distance: Double, along: Double, side: PassedRoom.Side)?
        var along = 0.0
        for (start, end) in zip(points, points.dropFirst()) {
            let foot = point.foot(onSegmentFrom: start, to: end).point
            let distance = foot.distance(to: point)
            if distance < best?.distance ?? .infinity {
                let cross =
                    (end.x - start.x) * (point.y - start.y)
                    - (end.y - start.y) * (point.x - start.x)
                best = (distance, along + start.distance(to: foot), cross > 0 ? .left : .right)
            }
            along += start.distance(to: end)
        }
        return best
    }
}
