import Events
import Site
import Wayfinding

/// The words of a language for the end of a route. A colon follows `arrived`: it spares a verb,
/// whose number would depend on the name, as in "Platforms 2 to 6".
struct ArrivalWords: Sendable {
    /// Such as `You have arrived`.
    var arrived: String
    /// The words after the colon for a traveller who asked for a way out.
    var outside: String
    /// The words after the name, with their comma.
    var ahead: String
    var left: String
    var right: String
    /// The marks around a name; empty for none.
    var marks = (open: "", close: "")
}

extension DirectionLanguage {
    /// The arrival at an exact end.
    ///
    /// - Parameters:
    ///   - thing: a lift or the like, with an article.
    ///   - room: the room's name in its marks, or else its kind with an article.
    func arrival(
        _ arrival: Arrival, _ names: DirectionNames, _ words: ArrivalWords,
        thing: (ConnectionRecord.Kind) -> String, room: (RoomID) -> String
    ) -> String {
        guard
            let place = place(
                arrival.asked, in: arrival.room, names, marks: words.marks, room: room)
        else {
            if arrival.isWayOut { return "\(words.arrived): \(words.outside)." }
            return arrival.thing.map { "\(words.arrived): \(thing($0))." } ?? "\(words.arrived)."
        }
        let side =
            switch arrival.side {
            case .here: ""
            case .ahead: words.ahead
            case .left: words.left
            case .right: words.right
            }
        return "\(words.arrived): \(place)\(side)."
    }

    /// The name of an end of a route, as it was asked for. A location is called by its own name
    /// alone: it is one point, and the room is around it. An entry has its room. Nil without both.
    func place(
        _ asked: RoutePlace?, in room: RoomID?, _ names: DirectionNames,
        marks: (open: String, close: String) = ("", ""), room named: (RoomID) -> String
    ) -> String? {
        let own = names.asked(asked).map { marks.open + $0 + marks.close }
        if case .location = asked, let own { return own }
        guard let room else { return own }
        guard names.named(room) != nil else { return own ?? named(room) }
        let place = named(room)
        return own.flatMap { $0 == place ? nil : "\(place) (\($0))" } ?? place
    }
}
