import Events
import Site

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
        let entry = arrival.entry.flatMap(names.entry).map {
            words.marks.open + $0 + words.marks.close
        }
        guard let id = arrival.room else {
            if arrival.isWayOut { return "\(words.arrived): \(words.outside)." }
            if let kind = arrival.thing { return "\(words.arrived): \(thing(kind))." }
            return entry.map { "\(words.arrived): \($0)." } ?? "\(words.arrived)."
        }
        var place = room(id)
        if names.named(id) == nil {
            place = entry ?? place
        } else if let entry, entry != place {
            place += " (\(entry))"
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
}
