public import Events
internal import JSON
public import Timetables

/// A feed as an administrator sends it: the body of `PUT /v1/sites/{site}/feeds/{id}`.
public struct FeedSubmission: Hashable, Sendable {
    private static let most = 50
    private static let text = 500
    private static let settings: Set = [
        "kind", "address", "name", "enabled", "everySeconds", "building", "room", "patterns",
        "people", "timeZone", "paths", "form",
    ]
    /// Further members of answers, which may be sent back as they are.
    private static let answered: Set = ["site", "id", "fetchedAt", "goodAt", "outcome", "nextAt"]

    public var kind: FeedKind
    /// Nil keeps the address of the known feed.
    public var address: FeedAddress?
    private var feed: TimetableFeed

    /// Reads `{"kind", "address"?, "name"?, "enabled"?, "everySeconds"?, "building"?, "room"?,
    /// "patterns"?, "people"?, "timeZone"?, "paths"?, "form"?}`.
    ///
    /// - Throws: also for other members: a misspelt setting would be one that nobody has made.
    public init(json body: [UInt8]) throws(WireFault) {
        self = try Self.read(body, refusesUnknown: true)
    }

    /// Reads settings that were stored, perhaps with members of a later release.
    public init(stored json: [UInt8]) throws(WireFault) {
        self = try Self.read(json, refusesUnknown: false)
    }

    private static func read(
        _ json: [UInt8], refusesUnknown: Bool
    ) throws(WireFault) -> FeedSubmission {
        try withJSON(json) { (root) throws(WireFault) in
            guard let object = root.object else {
                throw WireFault(.notAnObject, "a feed is an object")
            }
            let submission = try FeedSubmission(FieldReader(object))
            if refusesUnknown { try submission.checkMembers(FieldReader(object)) }
            return submission
        }
    }

    private func checkMembers(_ fields: FieldReader) throws(WireFault) {
        do throws(WireFault) {
            try fields.object.checkMembers(Self.settings, or: Self.answered)
            _ = try fields.elements("form") { (field) throws(WireFault) in
                try FieldReader(field).object.checkMembers(["name", "values"])
            }
        } catch {
            throw WireFault(.feedUnusable, path: error.path, error.reason)
        }
        let known = kind.pathNames
        guard let other = feed.paths.keys.sorted().first(where: { !known.contains($0) }) else {
            return
        }
        throw WireFault(
            .feedUnusable, path: "paths.\(other.prefix(64))",
            known.isEmpty
                ? "\(kind.rawValue) has no paths"
                : "use one of \(known.sorted().joined(separator: ", "))")
    }

    private init(_ fields: FieldReader) throws(WireFault) {
        kind = try fields.required("kind").choice()
        address = try Self.address(fields)
        feed = TimetableFeed(
            site: SiteID(""), id: FeedID(""), kind: kind, address: "",
            name: try fields.optional("name")?.text(maximumBytes: Self.text) ?? "",
            isEnabled: try fields.optional("enabled")?.bool() ?? true,
            schedule: FeedSchedule(
                everySeconds: try fields.optional("everySeconds")?.integer(
                    in: FeedSchedule.secondsAllowed) ?? FeedSchedule.defaultSeconds),
            building: try fields.optional("building")?.identifier(),
            room: try fields.optional("room")?.identifier(),
            patterns: try Self.patterns(fields),
            keepsPeople: try fields.optional("people")?.bool() ?? false,
            timeZone: try fields.optional("timeZone")?.text(maximumBytes: 64),
            paths: try Self.paths(fields), form: try Self.form(fields))
    }

    /// The feed with its place and its complete address.
    public func feed(_ id: FeedID, at site: SiteID, address: FeedAddress) -> TimetableFeed {
        var feed = feed
        (feed.site, feed.id, feed.address) = (site, id, address.text)
        return feed
    }

    private static func address(_ fields: FieldReader) throws(WireFault) -> FeedAddress? {
        guard let value = fields.optional("address") else { return nil }
        // Somebody sends back what an answer shows of it, and the secret would be lost.
        guard try !value.text().hasSuffix("?…") else { return nil }
        guard let address = FeedAddress(try value.text()) else {
            throw value.fault(.feedAddressMalformed, "an address begins with http:// or https://")
        }
        return address
    }

    private static func patterns(_ fields: FieldReader) throws(WireFault) -> [RoomPattern] {
        let patterns = try fields.elements("patterns") { (value) throws(WireFault) in
            guard let pattern = RoomPattern(try value.text()) else {
                throw value.fault(
                    .fieldOutOfRange,
                    "a pattern has {room} once, and at most \(RoomPattern.characters) characters")
            }
            return pattern
        }
        try check(patterns.count, "patterns")
        return patterns
    }

    private static func paths(_ fields: FieldReader) throws(WireFault) -> [String: String] {
        guard let value = fields.optional("paths") else { return [:] }
        guard let object = value.json.object else {
            throw value.fault(.fieldWrongType, "an object of paths by their names is expected")
        }
        var paths: [String: String] = [:]
        for member in object {
            do throws(WireFault) {
                paths[member.name.string] = try WireValue(member.value).text(maximumBytes: text)
            } catch {
                throw error.inside("paths")
            }
            try check(paths.count, "paths")
        }
        return paths
    }

    private static func form(
        _ fields: FieldReader
    ) throws(WireFault) -> [TimetableFeed.FormField] {
        let form = try fields.elements("form") { (value) throws(WireFault) in
            let fields = try FieldReader(value)
            let values = try fields.elements("values") { (value) throws(WireFault) in
                try value.text(maximumBytes: text)
            }
            try check(values.count, "values")
            return TimetableFeed.FormField(
                name: try fields.required("name").text(maximumBytes: text), values: values)
        }
        try check(form.count, "form")
        return form
    }

    private static func check(_ count: Int, _ name: String) throws(WireFault) {
        guard count <= most else {
            throw WireFault(.fieldOutOfRange, path: name, "send at most \(most)")
        }
    }
}

extension TimetableFeed {
    /// The settings without site, id and address, as the service stores them.
    public var settingsJSON: [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writeSettings(to: &writer)
        writer.endObject()
        return writer.finish()
    }

    func writeSettings(to writer: inout JSONWriter) {
        writer.field("kind", kind.rawValue)
        writer.field("name", name)
        writer.field("enabled", isEnabled)
        writer.field("everySeconds", schedule.everySeconds)
        writer.field("building", building)
        writer.field("room", room)
        writer.array("patterns", patterns.map(\.text))
        writer.field("people", keepsPeople)
        writer.field("timeZone", timeZone)
        writer.name("paths")
        writer.beginObject()
        for (name, path) in paths.sorted(by: { $0.key < $1.key }) {
            writer.name(name)
            writer.string(path)
        }
        writer.endObject()
        writer.array("form", form) { field, writer in
            writer.beginObject()
            writer.field("name", field.name)
            writer.array("values", field.values)
            writer.endObject()
        }
    }
}
