import Events
import HTTP
import Retrying
import ScanSwitch
import ServiceHost
import Site
import Wire

/// GET /v1/scan-requests/{id}/result: who asked waits for the scanners' answers.
struct AskersWait: Sendable {
    /// How long a request may be on its way from site-editor, and a result from another copy.
    private static let onTheWay = Duration.milliseconds(2_500)
    private static let handedMicroseconds: Int64 = 1_000_000

    let board: ScanSwitchboard
    /// The waits at this copy. Each looks four times a second, and holds a connection.
    let seats = Turns(atOnce: 2_048, ofOneAtOnce: Self.mostOfCaller, waiting: 0)
    static let mostOfCaller = 32
    /// A request is open for a minute, so this forgets few of them too early.
    let announcements = Occasional<ScanRequestKey>(1, per: .seconds(1), mostKeys: 10_000)

    func result(_ request: HTTPRequest) async throws -> HTTPResponse {
        let id = try request.id(of: "A request")
        let wait = try request.wait()
        guard board.directory.isReady else { throw Problem.starting }
        let seat = try await seats.acquire(for: request.waiterName)
        defer { seat.end() }
        let asker = request.caller?.id ?? ""
        let standings = try await standings(id, of: asker)
        let site = standings[0].requested.site
        try request.check(at: site)
        let sight = PlaceSight(request.reader(at: site), at: board.sites[whole: site])
        let began = board.clock.now
        var isAnnounced = announce(standings, willWait: wait > .zero)
        let end = ContinuousClock.now.advanced(by: wait)
        while true {
            let results = results(standings, began: began)
            if results.allSatisfy(\.isSettled) || ContinuousClock.now >= end || Task.isCancelled {
                return try await answer(id, results, sight)
            }
            if !isAnnounced { isAnnounced = announce(standings, willWait: true) }
            await board.ofRequest.wait(for: id, atMost: min(end - .now, Self.look)) {
                self.results(standings, began: began) != results
            }
        }
    }

    /// Scanners become away, and requests over, without an event.
    private static let look = Duration.milliseconds(250)

    /// The request, which may still be on its way here if its id is of the last seconds.
    ///
    /// Askers choose the ids, so another one may have asked under the same id at another site.
    private func standings(
        _ id: EventID, of asker: String
    ) async throws -> [ScanRequestStanding] {
        // Anybody may ask for any id, so others must not wait.
        if id.isRecent(at: board.clock.now) {
            await board.ofRequest.wait(for: id, atMost: Self.onTheWay) {
                !board.directory.request(id).isEmpty
            }
        }
        let all = board.directory.request(id)
        guard !all.isEmpty else { throw Problem.scanRequestUnknown }
        let own = all.filter { $0.requested.asker == asker }.sorted {
            ($0.requested.site.text, $0.requested.scanner.text)
                < ($1.requested.site.text, $1.requested.scanner.text)
        }
        guard let site = own.first?.requested.site else {
            throw Problem(.scanRequestNotYours, "Somebody else asked for this scan.")
        }
        return own.filter { $0.requested.site == site }
    }

    /// Says on the topic that the results are to come here.
    ///
    /// Results that can't come any more are left out: who asked may poll for them all day. Who
    /// polls without a wait moves them seldom, since each record is kept. One that has arrived
    /// stays where it is: he may poll in turns at two copies.
    ///
    /// - Returns: false where this copy said so less than a second ago, and has to say it again.
    private func announce(_ standings: [ScanRequestStanding], willWait: Bool) -> Bool {
        let moment = board.clock.now
        let wanted = standings.compactMap { board.directory.standing($0.requested.key) }.filter {
            $0.awaitedAt != board.ownAddress
                && (willWait || $0.done?.outcome != .answered && $0.mayMove(at: moment))
                && Self.mayCome($0, at: moment)
                && board.held.result(for: $0.requested.key, at: moment) == nil
        }.map(\.requested.key)
        let admitted = wanted.filter { announcements.decide($0) != .refuse }
        board.append(
            admitted.map {
                ResultAwaited(request: $0, address: board.ownAddress, awaitedAt: moment)
            })
        return admitted.count == wanted.count
    }

    /// Whether the scanner may still answer, or another copy may hold the answer.
    private static func mayCome(_ standing: ScanRequestStanding, at moment: Timestamp) -> Bool {
        guard let done = standing.done else { return standing.mayBeAnswered(at: moment) }
        return moment - done.doneAt <= HeldResults.keptMicroseconds
    }

    private struct Found: Equatable {
        var requested: ScanRequested
        var state: ScanResultsAnswer.State
        var scanID: EventID?
        /// Whether another copy may still send the stored scan, which has a position.
        var mayBeHanded: Bool

        /// Whether waiting changes nothing.
        var isFinal: Bool { state != .waiting && state != .taken }
        /// Whether waiting does not bring a position, either.
        var isSettled: Bool { isFinal && !mayBeHanded }
        var isOpen: Bool { !isFinal || state == .away }
    }

    /// The results as they are now, in the order of the standings.
    private func results(_ standings: [ScanRequestStanding], began: Timestamp) -> [Found] {
        let now = board.clock.now
        return standings.compactMap { board.directory.standing($0.requested.key) }.map { standing in
            Found(
                requested: standing.requested, state: state(of: standing, began: began, at: now),
                scanID: standing.done?.scan,
                mayBeHanded: mayBeHanded(standing, began: began, at: now))
        }
    }

    /// Whether a stored scan may be on its way from the copy that took it.
    private func mayBeHanded(
        _ standing: ScanRequestStanding, began: Timestamp, at now: Timestamp
    ) -> Bool {
        let (done, requested) = (standing.done, standing.requested)
        guard done?.outcome == .stored, requested.place == nil else { return false }
        return now - began <= Self.handedMicroseconds && Self.mayCome(standing, at: now)
            && board.held.result(for: requested.key, at: now) == nil
    }

    private func state(
        of standing: ScanRequestStanding, began: Timestamp, at now: Timestamp
    ) -> ScanResultsAnswer.State {
        if let held = board.held.result(for: standing.requested.key, at: now) {
            return held.result.stored ? .stored : .answered
        }
        switch standing.done?.outcome {
        case .stored: return .stored
        case .dropped: return .dropped
        // It may be on its way from the copy that had it, or that copy is gone.
        case .answered:
            let isLost = now - began > Self.handedMicroseconds || !Self.mayCome(standing, at: now)
            return isLost ? .dropped : .taken
        case nil: break
        }
        if standing.cancelledAt != nil { return .cancelled }
        guard standing.mayBeAnswered(at: now) else { return .over }
        if standing.isTaken { return .taken }
        // The clock of site-editor may be ahead.
        let since = min(standing.requested.askedAt, began)
        return now - since >= ScanRequestLimits.awayMicroseconds ? .away : .waiting
    }

    /// - Parameter sight: the places that may be named to who asked. The positions come from the
    ///   locator with this service's own secret.
    private func answer(
        _ id: EventID, _ found: [Found], _ sight: PlaceSight
    ) async throws -> HTTPResponse {
        if let refusal = Self.refusal(found) { throw refusal }
        var results: [ScanResultsAnswer.Result] = []
        for one in found {
            var result = ScanResultsAnswer.Result(one.requested.scanner, one.state)
            let key = one.requested.key
            let held = board.held.result(for: key, at: board.clock.now)
            if one.state == .stored { result.scanID = held?.result.scan.id ?? one.scanID }
            if let held {
                if one.state == .answered { result.scan = held.result.scan.json }
                // The place of a survey is known.
                if one.requested.place == nil,
                    let position = await board.position(of: held, for: key)
                {
                    result.position =
                        sight.isUnlimited
                        ? position
                        : (try? PositionEstimated(json: position)).map(sight.position)?.json
                }
            }
            results.append(result)
        }
        let answer = ScanResultsAnswer(
            id: id, isDone: !found.contains(where: \.isOpen), results: results)
        var response = HTTPResponse.json(answer.json)
        response.headers.append(("cache-control", "no-store"))
        return response
    }

    /// The problem where no scanner has answered or may answer.
    private static func refusal(_ found: [Found]) -> Problem? {
        let states = found.map(\.state)
        if states.contains(where: { [.answered, .stored, .waiting, .taken].contains($0) }) {
            return nil
        }
        if states.contains(.away) {
            return Problem(.scannerAway, "The scanner has not taken the request: it is away.")
        }
        if states.contains(.dropped) {
            return Problem(
                .resultDropped, "The result came when nobody could take it: ask again.")
        }
        return states.contains(.cancelled) ? .scanRequestCancelled : .scanRequestOver
    }
}

extension Problem {
    static let scanRequestUnknown = Problem(
        .scanRequestUnknown, "There is no such request for a scan, or it is too old.")
    static let scanRequestCancelled = Problem(
        .scanRequestCancelled, "The request for a scan was cancelled.")
    static let scanRequestOver = Problem(
        .scanRequestOver, "The time of the request for a scan is over.")
}
