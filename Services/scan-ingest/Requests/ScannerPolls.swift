import Events
import HTTP
import ScanSwitch
import ServiceHost
import Synchronization
import Wire

/// GET /v1/scanners/{scanner}/requests: a scanner waits for requests. At most one poll of a scanner
/// waits at this copy.
final class ScannerPolls: Sendable {
    typealias ScannerKey = ScanRequestDirectory.ScannerKey

    private struct Polls {
        var next: UInt64 = 0
        var newest: [ScannerKey: UInt64] = [:]
    }

    private let board: ScanSwitchboard
    private let polls = Mutex(Polls())
    /// The polls at this copy. Those of one scanner end each other, so few are open at a time.
    private let seats = Turns(atOnce: 8_192, ofOneAtOnce: 32, waiting: 0)

    init(board: ScanSwitchboard) { self.board = board }

    func poll(_ request: HTTPRequest) async throws -> HTTPResponse {
        let scanner = try request.ownScanner()
        let wait = try request.wait()
        let known = request.firstQuery("after")
        guard board.directory.isReady else { throw Problem.starting }
        let seat = try await seats.acquire(for: request.waiterName)
        defer { seat.end() }
        let number = polls.withLock { polls in
            polls.next += 1
            polls.newest[scanner] = polls.next
            return polls.next
        }
        board.ofScanner.changed(scanner)
        defer {
            polls.withLock { polls in
                if polls.newest[scanner] == number { polls.newest[scanner] = nil }
            }
        }
        acknowledge(scanner, known)
        await board.ofScanner.wait(for: scanner, atMost: wait) { [self] in
            !isNewest(number, scanner) || Self.tag(self.open(scanner)) != known
        }
        guard isNewest(number, scanner) else {
            throw Problem(.newerPoll, "A newer poll of this scanner ended this one.")
        }
        let now = board.clock.now
        let (open, cancelled) = board.directory.requests(to: scanner, at: now)
        let answer = AwaitedScans(
            open: open.map(\.requested), cancelled: cancelled, next: Self.tag(open))
        var response = HTTPResponse.json(answer.json(at: now))
        response.headers.append(("cache-control", "no-store"))
        return response
    }

    private func isNewest(_ number: UInt64, _ scanner: ScannerKey) -> Bool {
        polls.withLock { $0.newest[scanner] == number }
    }

    private func open(_ scanner: ScannerKey) -> [ScanRequestStanding] {
        board.directory.requests(to: scanner, at: board.clock.now).open
    }

    /// A scanner that shows the tag of the open requests has got all of them.
    private func acknowledge(_ scanner: ScannerKey, _ known: String?) {
        let open = self.open(scanner)
        guard known == Self.tag(open) else { return }
        board.append(
            open.filter { !$0.isTaken }.map {
                ScanRequestTaken(request: $0.requested.key, takenAt: board.clock.now)
            })
    }

    /// Tells sets of requests apart, alike in all copies: FNV-1a over their ids.
    static func tag(_ requests: [ScanRequestStanding]) -> String {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for request in requests {
            for byte in request.requested.id.bytes {
                hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01b3
            }
        }
        return String(hash, radix: 16)
    }
}

extension HTTPRequest {
    /// The scanner of the path, for which only its own token speaks.
    func ownScanner() throws(Problem) -> ScanRequestDirectory.ScannerKey {
        guard let caller, let device = caller.device, let site = caller.onlySite else {
            throw .deviceNotYours
        }
        guard let scanner = parameters["scanner"], scanner == device.text else {
            throw Problem(.scannerNotYours, "this token speaks for another scanner")
        }
        try check(at: site)
        return .init(site, ScannerID(scanner))
    }

    /// The name under which waits are counted. Anybody can begin many sessions without an account,
    /// so these count by their address.
    var waiterName: String {
        guard let principal, !principal.countsByAddress else { return senderText }
        return principal.id
    }

    private static let longestWait = 30
    private static let usualWait = 25

    /// The longest time to wait: `?wait=...` in seconds.
    func wait() throws(Problem) -> Duration {
        guard let text = firstQuery("wait") else { return .seconds(Self.usualWait) }
        guard let seconds = Int(text), (0...Self.longestWait).contains(seconds) else {
            throw Problem(.waitOutOfRange, "wait is between 0 and \(Self.longestWait) seconds.")
        }
        return .seconds(seconds)
    }
}
