public import Barriers
public import HTTP
public import ServiceHost
import Wire

extension BarrierPlaceFault: ClientRefusal {
    public var problem: Problem {
        switch self {
        case .unknownConnection(let id): NamedRecord.connection(id).problem
        case .unsuited(let id, let kind):
            Problem(.connectionUnknown, "The connection \(id) is no \(kind.connections).")
        case .unknownRoom(let id): NamedRecord.room(id).problem
        case .unknownFloor(let id): NamedRecord.floor(id).problem
        case .notOnlyOne(0, let room, let kind):
            Problem(.connectionUnknown, "The room \(room) has no \(kind.connections).")
        case .notOnlyOne(let count, let room, _):
            Problem(
                .connectionUnknown,
                "\(count) connections of the room \(room) fit: name one of them.")
        case .nothingNear(let kind):
            Problem(
                .connectionUnknown,
                "No \(kind.connections) is within \(Int(BarrierGround.reachMetres)) metres.")
        }
    }
}
