import EventLog
import Events
import Foundation
import Postgres
import TestSupport
import Wire

/// Measures ten thousand clients that follow positions: the server's resident memory per client,
/// and the time until one position has reached all. There is no peer; the limit is 20 kB per
/// stream.
struct StreamsBenchmark {
    private static let records = 20

    let options: BenchmarkOptions

    func run() async throws {
        let streams = options.path.flatMap { Int($0) } ?? 10_000
        let directory = try temporaryDirectory()
        defer { try? FileManager.default.removeItem(at: directory) }
        let database = try await PrivatePostgres.shared().makeDatabase().connectionString
        let choice = ChosenLog.postgres(conninfo: database)
        let service = try await RunningService(
            log: choice,
            environment: [
                "DATABASE_URL": database, "WHEREABOUTS_CONNECTIONS_PER_ADDRESS": "100000",
                "WHEREABOUTS_STREAMS_OF_ONE": "100000",
            ], in: directory)
        let log = try choice.open()
        // The first clients make the server allocate memory that all clients share.
        let clients = StreamClients(service)
        try clients.open(100)
        _ = try await milliseconds(log, clients)
        let before = try service.program.residentBytes()
        let began = ContinuousClock.now
        try clients.open(streams - clients.count)
        let opening = (ContinuousClock.now - began) / .seconds(1)
        let idle = try service.program.residentBytes()
        var figures: [Double] = []
        for _ in 0..<Self.records { figures.append(try await milliseconds(log, clients)) }
        let after = try service.program.residentBytes()
        let opened = Double(streams - 100)
        let bytes = Double(after - before) / opened
        note(
            String(
                format:
                    "    %d streams opened in %.1f s; %.0f bytes each when quiet, %.0f after %d "
                    + "positions; one position to all: median %.1f ms, most %.1f ms", streams,
                opening,
                Double(idle - before) / opened, bytes, Self.records, median(figures),
                figures.max() ?? 0))
        print(
            #"{"benchmark":"streams","unit":"bytes a stream","ours":\#(Int(bytes)),"#
                + #""streams":\#(streams),"milliseconds":\#(median(figures))}"#)
        clients.close()
        await log.close()
        service.program.end()
    }

    /// The milliseconds from the log's acknowledgement to the last client's last byte.
    private func milliseconds(
        _ log: any EventLog, _ clients: StreamClients
    ) async throws -> Double {
        let now = Timestamp.now
        var position = PositionEstimated(
            id: EventID(at: now), scan: EventID(at: now), at: now, locatedAt: now,
            device: DeviceID("pi-1"), site: ScanSamples.site, siteVersion: 1, state: .located,
            late: false, positioner: "auto", radioMapVersion: 1)
        position.floor = ScanSamples.floor
        (position.x, position.y, position.radius68, position.radius95) = (1, 2, 3, 4)
        try await log.append([position.record(source: "/benchmark")])
        let began = ContinuousClock.now
        try clients.readOne()
        return (ContinuousClock.now - began) / .milliseconds(1)
    }
}

/// Connections that follow positions, all read by one thread.
private final class StreamClients {
    private let service: RunningService
    private var sockets: [Int32] = []

    var count: Int { sockets.count }

    init(_ service: RunningService) { self.service = service }

    /// Opens connections one after the other, and waits for the first bytes of each.
    func open(_ number: Int) throws {
        let request =
            "GET /v1/positions/stream?site=\(ScanSamples.site) HTTP/1.1\r\nHost: x\r\n"
            + "Authorization: Bearer \(service.token)\r\nAccept: text/event-stream\r\n\r\n"
        for _ in 0..<number {
            let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = in_port_t(service.port).bigEndian
            inet_pton(AF_INET, "127.0.0.1", &address.sin_addr)
            let length = socklen_t(MemoryLayout<sockaddr_in>.size)
            let result = withUnsafeBytes(of: &address) { bytes in
                bytes.withMemoryRebound(to: sockaddr.self) {
                    connect(socket, $0.baseAddress, length)
                }
            }
            guard socket >= 0, result == 0 else {
                throw BenchmarkFault("stream \(sockets.count) can't be opened: \(errno)")
            }
            sockets.append(socket)
            _ = Array(request.utf8).withUnsafeBytes {
                Glibc.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            try read(socket, until: ": hello")
        }
    }

    /// Reads one position from each connection.
    func readOne() throws { for socket in sockets { try read(socket, until: "event: position") } }

    func close() { for socket in sockets { Glibc.close(socket) } }

    private func read(_ socket: Int32, until end: String) throws {
        var all: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 4_096)
        let (wanted, blank) = (Array(end.utf8), Array("\n\n".utf8))
        // An HTTP chunk ends with a line end of its own, behind the empty line of the event.
        while !all.contains(wanted) || !all.suffix(4).contains(blank) {
            let count = recv(socket, &piece, piece.count, 0)
            guard count > 0 else {
                throw BenchmarkFault("a stream ended: \(String(decoding: all, as: UTF8.self))")
            }
            all += piece.prefix(count)
        }
    }
}
