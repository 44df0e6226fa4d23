public import Events
public import Site

/// Finds the rooms of a feed's bookings, and notes the places that are none.
public struct RoomMatching: Sendable {
    private struct Finding: Sendable {
        struct Left: Sendable {
            var text: String
            var reason: UnmatchedPlaces.Place.Reason
        }

        var rooms: [RoomID] = []
        var left: [Left] = []
    }

    private let names: RoomNames
    private let patterns: [RoomPattern]
    private let fixed: RoomID?
    /// The feed's own room, where the site lacks it.
    private let missing: RoomID?
    private var findings: [String: Finding] = [:]
    public private(set) var unmatched = UnmatchedPlaces()

    /// A place's text is compared up to here.
    private static let characters = 300
    /// The bytes of texts that are made and looked up for all places, some ten seconds of work.
    var mostBuiltBytes = 100_000_000
    private var builtBytes = 0

    /// - Parameters:
    ///   - patterns: they are tried in their order; without one, the whole text is the room.
    ///   - building: the only building whose rooms count; nil for all.
    ///   - room: the room of all bookings, whatever the feed says; nil for a feed of several.
    ///   - names: the names of these rooms, where they are known already.
    public init(
        _ site: SiteDocument, patterns: [RoomPattern], building: BuildingID? = nil,
        room: RoomID? = nil, names: RoomNames? = nil
    ) {
        self.names = names ?? RoomNames(site, building: building)
        self.patterns = patterns.isEmpty ? [.plain] : patterns
        fixed = room.flatMap { room in site.rooms.contains { $0.id == room } ? room : nil }
        missing = fixed == nil ? room : nil
    }

    /// Whether the places take too much work, so that not all of them were looked up.
    public var isExhausted: Bool { builtBytes >= mostBuiltBytes }

    /// The rooms of a place, each once, in no order.
    public mutating func rooms(at place: String) -> Set<RoomID> {
        if fixed != nil || missing != nil {
            return rooms(
                of: FoundBooking(
                    key: "", places: [place], starts: Timestamp(microseconds: 0),
                    ends: Timestamp(microseconds: 0), title: ""))
        }
        return rooms(at: [place])
    }

    /// The rooms of a booking, each once, in no order.
    public mutating func rooms(of booking: FoundBooking) -> Set<RoomID> {
        if let fixed { return [fixed] }
        if let missing {
            unmatched.note(missing.text, .unknown)
            return []
        }
        return rooms(at: booking.places)
    }

    private mutating func rooms(at places: [String]) -> Set<RoomID> {
        var rooms: Set<RoomID> = []
        var isWithoutPlace = true
        for place in places {
            let text = tidied(place, atMost: Self.characters)
            guard !text.isEmpty else { continue }
            isWithoutPlace = false
            let finding = finding(text)
            rooms.formUnion(finding.rooms)
            for part in finding.left { unmatched.note(part.text, part.reason) }
        }
        if isWithoutPlace { unmatched.noteWithoutPlace() }
        return rooms
    }

    private mutating func finding(_ text: String) -> Finding {
        if let known = findings[text] { return known }
        let finding = search(text)
        findings[text] = finding
        return finding
    }

    /// The complete text first, then its parts: some sources list several rooms as one place.
    private mutating func search(_ text: String) -> Finding {
        if let finding = match(text) { return finding }
        let parts = text.split(whereSeparator: { ";,".contains($0) })
            .map { trimmed(String($0)) }.filter { !$0.isEmpty }
        guard parts.count > 1 else {
            return Finding(left: [Finding.Left(text: text, reason: reason(text))])
        }
        var finding = Finding()
        for part in parts {
            if let found = match(part) {
                finding.rooms += found.rooms
                finding.left += found.left
            } else {
                finding.left.append(Finding.Left(text: part, reason: reason(part)))
            }
        }
        return finding
    }

    private mutating func captures(_ text: String) -> [String] {
        guard !isExhausted else { return [] }
        let characters = folded(text)
        builtBytes += characters.count
        var captures: [String] = []
        for pattern in patterns where !isExhausted {
            captures += pattern.captures(in: characters, builtBytes: &builtBytes)
        }
        return captures
    }

    /// The longest text that is a room, or rooms used as one, all of them known. Else the one with
    /// the most known rooms.
    private mutating func match(_ text: String) -> Finding? {
        var best: Finding?
        for capture in captures(text) {
            if case .room(let room)? = names.find(capture) { return Finding(rooms: [room]) }
            guard let found = combined(capture) else { continue }
            if found.left.isEmpty { return found }
            if found.rooms.count >= best?.rooms.count ?? 1 { best = found }
        }
        return best
    }

    private func combined(_ capture: String) -> Finding? {
        guard let parts = CombinedRooms.names(of: capture) else { return nil }
        var finding = Finding()
        for names in parts {
            if case .room(let room)? = find(names) {
                finding.rooms.append(room)
            } else {
                finding.left.append(Finding.Left(text: names[0], reason: .unknown))
            }
        }
        return finding.rooms.isEmpty ? nil : finding
    }

    private func find(_ candidates: [String]) -> RoomNames.Finding? {
        candidates.lazy.compactMap { names.find($0) }.first
    }

    private mutating func reason(_ text: String) -> UnmatchedPlaces.Place.Reason {
        captures(text).contains { names.find($0) == .several } ? .ambiguous : .unknown
    }
}
