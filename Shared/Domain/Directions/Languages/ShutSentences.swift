public import Wayfinding

/// The sentences about places that are closed: those on the way, and the end of the way.
extension English {
    public func sentence(
        _ end: ShutEnd, closedBy hours: String, _ names: DirectionNames
    ) -> String {
        let place =
            switch end.place {
            case .room(let id): room(id, names)
            case .entry(let id): names.entry(id) ?? "the destination"
            }
        return sentence(shut: Self.capitalised(place), hours, Self.when(end))
    }

    private static func when(_ end: ShutEnd) -> String {
        end.isReached ? "now" : "when you arrive"
    }

    /// - Parameters:
    ///   - place: the subject of the sentence.
    ///   - hours: a value of OpenStreetMap's key `opening_hours`.
    ///   - time: when it is closed.
    func sentence(
        shut place: String, _ hours: String, _ time: String = "at that time"
    ) -> String {
        guard isEverOpen(hours) else { return "\(place) is closed." }
        return "\(place) is closed \(time). Opening hours: \(spokenHours(hours, Self.hours))."
    }
}

extension German {
    public func sentence(
        _ end: ShutEnd, closedBy hours: String, _ names: DirectionNames
    ) -> String {
        let place =
            switch end.place {
            case .room(let id): room(id, .nominative, names)
            case .entry(let id): names.entry(id).map { "„\($0)“" } ?? "das Ziel"
            }
        return sentence(shut: Self.capitalised(place), hours, Self.when(end))
    }

    private static func when(_ end: ShutEnd) -> String {
        end.isReached ? "jetzt" : "bei Ihrer Ankunft"
    }

    func sentence(
        shut place: String, _ hours: String, _ time: String = "zu dieser Zeit"
    ) -> String {
        guard isEverOpen(hours) else { return "\(place) ist geschlossen." }
        return "\(place) ist \(time) geschlossen. Öffnungszeiten: "
            + "\(spokenHours(hours, Self.hours))."
    }
}

extension Russian {
    public func sentence(
        _ end: ShutEnd, closedBy hours: String, _ names: DirectionNames
    ) -> String {
        let place =
            switch end.place {
            case .room(let id): room(id, names)
            case .entry(let id): names.entry(id).map { "«\($0)»" } ?? "место назначения"
            }
        return sentence(shut: Self.capitalised(place), hours, Self.when(end))
    }

    private static func when(_ end: ShutEnd) -> String {
        end.isReached ? "сейчас" : "когда вы придёте, будет"
    }

    func sentence(shut place: String, _ hours: String, _ time: String = "в это время") -> String {
        guard isEverOpen(hours) else { return "\(place): закрыто." }
        return "\(place): \(time) закрыто. Часы работы: \(spokenHours(hours, Self.hours))."
    }
}

extension Welsh {
    public func sentence(
        _ end: ShutEnd, closedBy hours: String, _ names: DirectionNames
    ) -> String {
        let place =
            switch end.place {
            case .room(let id): roomBehindVowel(id, names)
            case .entry(let id): names.entry(id).map { " \($0)" } ?? "'r cyrchfan"
            }
        return sentence(shut: place, hours, Self.when(end))
    }

    private static func when(_ end: ShutEnd) -> String {
        end.isReached ? "ar hyn o bryd" : "pan gyrhaeddwch"
    }

    /// - Parameter place: the subject as it stands behind a vowel, with the space before it.
    func sentence(shut place: String, _ hours: String, _ time: String = "bryd hynny") -> String {
        guard isEverOpen(hours) else { return "Mae\(place) ar gau." }
        return "Mae\(place) ar gau \(time). Oriau agor: \(spokenHours(hours, Self.hours))."
    }
}
