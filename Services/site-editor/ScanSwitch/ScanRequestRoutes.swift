import Access
import Events
public import HTTP
public import ScanSwitch
public import ServiceHost
import Site
import Wire

/// /v1/sites/{site}/scan-requests: asks scanners for scans, lists and cancels requests.
struct ScanRequestRoutes: Sendable {
    private static let surveyors = RoleSet(.surveyor, .administratorOfSite, .administrator)
    private static let editors = RoleSet(.administratorOfSite, .administrator)

    let sites: SiteDirectory
    let clock: EventClock
    let store: ScanRequestStore

    var all: [Route] {
        [
            Route(
                .post, "/v1/sites/{site}/scan-requests", maximumBodyBytes: 8_192,
                handler: .refusing { try await ask($0) }),
            Route(
                .get, "/v1/sites/{site}/scan-requests",
                handler: .refusing { try await list($0) }),
            Route(
                .get, "/v1/sites/{site}/scan-requests/{id}",
                handler: .refusing { try await get($0) }),
            Route(
                .patch, "/v1/sites/{site}/scan-requests/{id}", maximumBodyBytes: 8_192,
                handler: .refusing { try await change($0) }),
            Route(
                .delete, "/v1/sites/{site}/scan-requests/{id}",
                handler: .refusing { try await cancel($0) }),
        ]
    }

    private func ask(_ request: HTTPRequest) async throws -> HTTPResponse {
        let site = try sites.site(of: request)
        let submission = try request.read(ScanRequestSubmission.init(json:))
        let wish = ScanWish(
            scanners: submission.scanners, place: submission.place, room: submission.room,
            store: submission.store,
            timeoutSeconds: submission.timeoutSeconds ?? ScanRequestLimits.usualTimeoutSeconds)
        return try await ask(wish, id: submission.id ?? clock.newEventID(), at: site, by: request)
    }

    private func ask(
        _ wish: ScanWish, id: EventID, at site: SiteID, by request: HTTPRequest
    ) async throws -> HTTPResponse {
        guard let caller = request.caller else { throw Problem.tokenMissing }
        let seen = try sites.seen(site, by: request)
        let order = ScanRequestStore.Order(
            wish: wish, id: id, site: site, asker: caller.id, reach: Self.reach(caller, site),
            building: try Self.building(of: wish, in: seen.index))
        let now = clock.now
        let (state, isNew) = try await store.ask(order, at: now)
        return .json(listed(state, at: now).json, status: isNew ? 202 : 200)
    }

    /// The report's switch: off cancels, on asks the same again.
    private func change(_ request: HTTPRequest) async throws -> HTTPResponse {
        let (site, id, state) = try await own(request)
        let patch = try request.read(ScanSwitchPatch.init(json:))
        let now = clock.now
        guard patch.isOn else {
            try await store.cancel(id, at: site, moment: now)
            return .json(listed(try await store.state(id, at: site), at: now).json)
        }
        let first = state.requested[0]
        let seconds = Int((first.until - first.askedAt) / 1_000_000)
        // A scan that is not stored has no place.
        let formerPlace = patch.store == false ? nil : first.place
        let wish = ScanWish(
            scanners: state.requested.map(\.scanner), place: patch.place ?? formerPlace,
            room: patch.room ?? first.room, store: patch.store ?? first.store,
            timeoutSeconds: patch.timeoutSeconds ?? seconds)
        if listed(state, at: now).state == .open {
            let isSame =
                wish.place == first.place && wish.room == first.room && wish.store == first.store
            if isSame { return .json(listed(state, at: now).json) }
            // A wish that is refused ends nothing.
            _ = try Self.building(of: wish, in: try sites.seen(site, by: request).index)
            try await store.cancel(id, at: site, moment: now)
        }
        return try await ask(wish, id: clock.newEventID(), at: site, by: request)
    }

    private func list(_ request: HTTPRequest) async throws -> HTTPResponse {
        let site = try sites.site(of: request)
        guard let caller = request.caller else { throw Problem.tokenMissing }
        let asker = caller.has(Self.editors, inAllOf: site) ? nil : caller.id
        let now = clock.now
        let states = try await store.list(of: asker, at: site)
        return .json(ListAnswer.json(states.map { listed($0, at: now) }))
    }

    private func get(_ request: HTTPRequest) async throws -> HTTPResponse {
        .json(listed(try await own(request).state, at: clock.now).json)
    }

    private func cancel(_ request: HTTPRequest) async throws -> HTTPResponse {
        let (site, id, _) = try await own(request)
        try await store.cancel(id, at: site, moment: clock.now)
        return HTTPResponse(status: 204)
    }

    /// The request that the path names. It is unknown to all but its asker and administrators.
    private func own(
        _ request: HTTPRequest
    ) async throws -> (site: SiteID, id: EventID, state: ScanRequestState) {
        let site = try sites.site(of: request)
        guard let caller = request.caller else { throw Problem.tokenMissing }
        let id = try request.id(of: "A request")
        let state = try await store.state(id, at: site)
        guard let first = state.requested.first,
            first.asker == caller.id || caller.has(Self.editors, inAllOf: site)
        else { throw ScanRequestRefusal.unknown.problem }
        return (site, id, state)
    }

    private func listed(_ state: ScanRequestState, at moment: Timestamp) -> ListedScanRequest {
        let isDone = state.requested.allSatisfy {
            let outcome = store.directory.standing($0.key)?.done?.outcome
            return outcome == .stored || outcome == .answered
        }
        let isOver = state.requested.first.map { $0.until <= moment } ?? true
        return ListedScanRequest(
            state.requested,
            isDone ? .done : state.cancelledAt != nil ? .cancelled : isOver ? .over : .open)
    }

    static func reach(_ caller: Caller, _ site: SiteID) -> AskerReach {
        var buildings: Set<BuildingID> = []
        for grant in caller.grants where surveyors.contains(grant.role) && grant.reaches(site) {
            guard let some = grant.buildings else { return .wholeSite }
            buildings.formUnion(some)
        }
        return buildings.isEmpty ? .paired : .buildings(buildings)
    }

    /// The building of the wish's place.
    private static func building(
        of wish: ScanWish, in index: SiteIndex
    ) throws(Problem) -> BuildingID? {
        if let room = wish.room, index.roomIndex(room) == nil {
            throw Problem(.roomUnknown, "The site has no room \(room).")
        }
        guard let place = wish.place else { return nil }
        try index.checkIsNear(place)
        do throws(PlaceFault) {
            return index.floors[try index.resolve(place).floor.value].building
        } catch {
            switch error {
            case .unknownLocation:
                throw Problem(.locationUnknown, "the site has no such location")
            case .unknownFloor: throw Problem(.floorUnknown, "the site has no such floor")
            case .coordinateOutOfRange:
                throw Problem(
                    other: .coordinatesOutOfRange, "the place lies outside of what a site may span")
            }
        }
    }
}

extension ScanRequestRefusal: ClientRefusal {
    public var problem: Problem {
        switch self {
        case .scannersOutOfRange:
            Problem(
                .scannersOutOfRange,
                "Name 1 to \(ScanRequestLimits.scanners) scanners, each of them once.")
        case .unknownScanner(let scanner):
            Problem(.scannerUnknown, "No token was issued for the scanner \(scanner).")
        case .notYourScanner(let scanner):
            Problem(
                .scannerNotReached,
                "\(scanner) is in none of your buildings, and you are not paired with it.")
        case .mayNotStore:
            Problem(.mayNotStore, "Who is paired with a scanner can't have its scans stored.")
        case .placeWithoutStore:
            Problem(.placeWithoutStore, "A scan with a place is a survey, which is stored.")
        case .timeoutOutOfRange:
            Problem(.timeoutOutOfRange, "timeoutSeconds is between 1 and 60.")
        case .sameIDForAnother:
            Problem(.scanRequestIdConflict, "Another request was made under this id.")
        case .tooManyOfAsker:
            Problem(
                .tooManyScanRequests,
                "You have \(ScanRequestLimits.openOfAsker) open requests for scans.",
                retryAfterSeconds: 1)
        case .tooManyOfScanner(let scanner):
            Problem(
                .tooManyScanRequests,
                "\(scanner) has \(ScanRequestLimits.openOfScanner) open requests for scans.",
                retryAfterSeconds: 1)
        case .tooManyOfAskerLately:
            Problem(
                .tooManyScanRequests,
                "You have made \(ScanRequestLimits.latelyOfAsker) requests within a minute.",
                retryAfterSeconds: 10)
        case .tooManyOfScannerLately(let scanner):
            Problem(
                .tooManyScanRequests,
                "\(scanner) was asked \(ScanRequestLimits.latelyOfScanner) times within a minute.",
                retryAfterSeconds: 10)
        case .tooManyOfAskerInDay:
            Problem(
                .tooManyScanRequests,
                "You may ask for \(ScanRequestLimits.scansOfAskerInDay) scans within a day.",
                retryAfterSeconds: 600)
        case .unknown:
            Problem(
                .scanRequestUnknown,
                "There is no such request for a scan, or it is over a day old.")
        }
    }
}
