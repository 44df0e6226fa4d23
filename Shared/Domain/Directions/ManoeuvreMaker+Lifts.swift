import Events
import Site
import Wayfinding

extension ManoeuvreMaker {
    /// Metres within a lift, or just before its door. Nobody needs an instruction for them.
    private static let cabinMetres = 8.0

    /// Makes one manoeuvre of a lift's door and the ride, and one of the ride's end and the door
    /// out. The walks between them, within the lift, are left out.
    mutating func mergeLifts() {
        var index = made.indices.first ?? 0
        while index < made.count {
            if case .climb(var climb) = made[index].action, climb.kind == .lift {
                if let start = entry(before: index), case .door(let door) = made[start].action {
                    climb.turn = door.turn
                    made[index].leg = made[start].leg
                    made[index].point = made[start].point
                    made.removeSubrange(start..<index)
                    index = start
                } else {
                    climb.turn = .straight
                }
                made[index].action = .climb(climb)
                leave(liftAt: index)
            }
            index += 1
        }
    }

    /// The index of the door that leads into the lift at `index`.
    private func entry(before index: Int) -> Int? {
        var metres = 0.0
        for before in made.indices.prefix(index).reversed() {
            metres += made[before].metres
            guard metres < Self.cabinMetres else { return nil }
            switch made[before].action {
            case .door(let door): return isLift(door.room) ? before : nil
            case .head, .turn: continue
            case .cross, .climb, .arrive: return nil
            }
        }
        return nil
    }

    /// Removes the walk to the lift's door, which follows the ride.
    private mutating func leave(liftAt index: Int) {
        var metres = made[index].metres
        for after in made.indices.dropFirst(index + 1) {
            switch made[after].action {
            case .door(var door):
                guard metres < Self.cabinMetres, isLift(door.before) else { return }
                door.isFromLift = true
                door.turn = .straight
                made[after].action = .door(door)
                made[index].metres = 0
                made.removeSubrange((index + 1)..<after)
                return
            case .head, .turn: metres += made[after].metres
            case .cross, .climb, .arrive: return
            }
        }
    }

    private func isLift(_ room: RoomID?) -> Bool {
        room.flatMap(site.room).map { SpokenKind($0.kind) == .lift } ?? false
    }
}
