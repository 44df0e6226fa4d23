import Events
import HTTP
import ServiceHost
import Site
import Wire

/// The records of one kind. They are read from the published site, and changed in the draft.
struct RecordRoutes<Record: SiteRecordWire>: Sendable {
    let sites: SiteDirectory
    let clock: EventClock
    let store: SiteStore

    private static var pageMaximum: Int { 10_000 }
    /// The most bytes of one record: a directory entry of 10,000 places, or an outline of 2,000
    /// corners.
    private static var bodyLimit: Int { 1_000_000 }

    var all: [Route] {
        let list = "/v1/sites/{site}/\(Record.kind.path)"
        let one = "\(list)/{id}"
        return [
            Route(
                .get, list,
                handler: .refusing { try await page($0) }),
            Route(
                .get, one, handler: .refusing { try await read($0) }),
            Route(
                .put, one, maximumBodyBytes: Self.bodyLimit,
                handler: .refusing { try await put($0) }),
            Route(
                .patch, one, maximumBodyBytes: Self.bodyLimit,
                handler: .refusing { try await patch($0) }),
            Route(
                .delete, one,
                handler: .refusing { try await remove($0) }),
        ]
    }

    /// A page of the records in the order of their ids.
    private func page(_ request: HTTPRequest) async throws -> HTTPResponse {
        let site = try sites.site(of: request)
        let view = try await store.view(request, of: site)
        let limit = try request.pageLimit(maximum: Self.pageMaximum)
        let filter = try RecordFilter(request, document: view.document)
        let after = request.firstQuery("after")
        let found = view.document[keyPath: Record.records]
            .map { (id: $0.idText, record: $0) }
            .filter { (after == nil || $0.id > after ?? "") && filter.matches($0.record) }
            .sorted { $0.id < $1.id }
        let page = RecordPage.json(
            found.prefix(limit).map(\.record), in: view.document, version: view.version,
            revision: view.revision, next: found.count > limit ? found[limit - 1].id : nil)
        return tagged(
            try request.coordinates().converted(page, in: view.document),
            view.tag.text(beside: view.version, mark: view.mark))
    }

    private func read(_ request: HTTPRequest) async throws -> HTTPResponse {
        let site = try sites.site(of: request)
        let thing = try thing(request)
        let view = try await store.view(request, of: site)
        guard let record: Record = view.document.record(thing) else {
            throw SiteRefusal.unknown(thing)
        }
        return tagged(
            try request.coordinates().converted(
                record.answer(in: view.document), in: view.document),
            view.tag, mark: view.mark)
    }

    private func put(_ request: HTTPRequest) async throws -> HTTPResponse {
        let thing = try thing(request)
        return try await write(request, thing, .put) { document in
            try Record(json: Self.normalised(request.body, as: thing, in: document))
        }
    }

    /// Changes the record by a JSON Merge Patch (RFC 7396).
    private func patch(_ request: HTTPRequest) async throws -> HTTPResponse {
        let thing = try thing(request)
        return try await write(request, thing, .patch) { document in
            guard let record: Record = document.record(thing) else {
                throw SiteRefusal.unknown(thing)
            }
            let patch = try Self.normalised(request.body, as: thing, in: document)
            return try record.patched(with: patch)
        }
    }

    private func write(
        _ request: HTTPRequest, _ thing: SiteThing, _ action: DraftAction,
        _ make: @escaping @Sendable (SiteDocument) throws -> Record
    ) async throws -> HTTPResponse {
        let site = try sites.site(of: request)
        let coordinates = try request.coordinates()
        let author = try await store.author(of: request, at: site)
        let edited = try await store.edit(
            site, expectedRevision: try request.expectedRevision(), by: author,
            DraftNote(action: action, thing: .record(thing)), at: clock.now
        ) { document in
            try author.checkSees([thing], in: document)
            let record = try make(document)
            try author.checkSees(record.references, in: document)
            try (record as? BuildingRecord)?.checkZone(after: document)
            return .put(record)
        }
        let document = edited.draft.document
        guard let record: Record = document.record(thing) else { throw SiteRefusal.unknown(thing) }
        return tagged(
            try coordinates.converted(record.answer(in: document), in: document),
            .draft(edited.draft.revision),
            status: edited.before.contains(thing) ? 200 : 201)
    }

    /// Removes the record; the answer lists the removed and changed records.
    private func remove(_ request: HTTPRequest) async throws -> HTTPResponse {
        let site = try sites.site(of: request)
        let thing = try thing(request)
        let isCascading = try request.flag("cascade")
        let author = try await store.author(of: request, at: site)
        let edited = try await store.edit(
            site, expectedRevision: try request.expectedRevision(), by: author,
            DraftNote(action: .remove, thing: .record(thing)), at: clock.now
        ) { document in
            try author.checkSees([thing], in: document)
            return .remove(thing, isCascading: isCascading)
        }
        return edited.response
    }

    private func thing(_ request: HTTPRequest) throws(Problem) -> SiteThing {
        guard let thing = Record.kind.thing(named: request.parameters["id"] ?? "") else {
            throw Problem(.identifierMalformed, "This can't be an id in \(Record.kind.list).")
        }
        return thing
    }

    private static func normalised(
        _ body: [UInt8], as thing: SiteThing, in document: SiteDocument
    ) throws(WireFault) -> [UInt8] {
        let normalised = try SiteInput(frame: document.frame).normalised(
            body, as: thing.id, under: Record.kind.key.member)
        try Record.checkMembers(of: normalised)
        return normalised
    }
}

/// The filter of a list: `?floor=`, `?building=`, `?room=`, `?location=`, `?kind=`, `?name=`.
private struct RecordFilter {
    let floor: FloorID?
    let building: BuildingID?
    let room: RoomID?
    let location: LocationID?
    let kind: String?
    let name: String?
    private let finder: RecordFactFinder
    private let floorsOfBuilding: Set<FloorID>

    /// - Throws: a `Problem` for a record that the document lacks.
    init(_ request: HTTPRequest, document: SiteDocument) throws(Problem) {
        floor = request.firstQuery("floor").map(FloorID.init)
        let building = request.firstQuery("building").map(BuildingID.init)
        self.building = building
        room = request.firstQuery("room").map(RoomID.init)
        location = request.firstQuery("location").map(LocationID.init)
        kind = try request.filled("kind")
        name = request.firstQuery("name")
        let named: [NamedRecord?] = [
            floor.map { .floor($0) }, building.map { .building($0) }, room.map { .room($0) },
            location.map { .location($0) },
        ]
        for record in named { try record?.check(in: document) }
        finder = RecordFactFinder(document)
        floorsOfBuilding = Set(document.floors.filter { $0.building == building }.map(\.id))
    }

    func matches(_ record: some SiteRecord) -> Bool {
        if floor == nil, building == nil, room == nil, location == nil, kind == nil, name == nil {
            return true
        }
        let facts = finder.facts(of: record)
        if let floor, !facts.floors.contains(floor) { return false }
        if let room, !facts.rooms.contains(room) { return false }
        if let location, !facts.locations.contains(location) { return false }
        if let kind, facts.kind != kind { return false }
        if let name, !facts.hasName(startingWith: name) { return false }
        guard let building else { return true }
        return facts.building == building || !facts.floors.isDisjoint(with: floorsOfBuilding)
    }
}

extension HTTPRequest {
    /// A query parameter that is true or false; false without it.
    func flag(_ name: String) throws(Problem) -> Bool {
        switch firstQuery(name) {
        case nil, "false": false
        case "true", "": true
        default: throw Problem(.flagMalformed, "Send \(name) as true or false.")
        }
    }
}

extension SiteStore.Edited {
    /// The draft's revision, whether anything changed, and the changes.
    var response: HTTPResponse {
        let comparison = SiteComparison(from: before, to: draft.document)
        return tagged(
            comparison.json(revision: draft.revision, isChanged: isChanged),
            .draft(draft.revision))
    }
}
