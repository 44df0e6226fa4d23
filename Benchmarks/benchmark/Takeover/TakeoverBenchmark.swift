import EventLog
import Events
import Foundation
import Postgres
import TestSupport
import Wire

/// Measures how soon a sole survivor locates the devices of a locator that was killed, after a day
/// at 500 scans a second, or `--rate`.
///
/// Two locators share the partitions. One is killed, first on an empty log and then behind the ids
/// and states of a day. They are written into the log beforehand (`LocatedDay`). The first is the
/// time that the group itself needs. The site has no radio map, so the devices are lost, which
/// costs the same here.
///
/// The bars for the first position after the kill: 20 s in one partition that was taken over, and
/// 30 s in the last one. The survivor's own partitions may be without a position for 1 s.
struct TakeoverBenchmark {
    private static let usualRate = 500
    private static let addresses = ["127.0.0.1:24110", "127.0.0.1:24111"]
    /// The time before one of the two locators is killed.
    private static let running = Duration.seconds(20)
    /// How long positions are read after the kill.
    private static let observed = Duration.seconds(60)

    let options: BenchmarkOptions

    private var rate: Int { options.rate ?? Self.usualRate }

    func run() async throws {
        for name in options.logs {
            let directory = try temporaryDirectory()
            defer { try? FileManager.default.removeItem(at: directory) }
            let database = try await PrivatePostgres.shared().makeDatabase().connectionString
            if name == "postgres" {
                try await measure(name, .postgres(conninfo: database), database, directory)
            } else if let kafka = RealKafka.start() {
                try await measure(
                    name, .kafka(bootstrapServers: kafka.bootstrapServers), database, directory)
                kafka.stop()
            }
        }
    }

    private func measure(
        _ name: String, _ choice: ChosenLog, _ database: String, _ directory: URL
    ) async throws {
        _ = try await LogContents.publish(to: choice)
        let log = try choice.open()
        var environment = choice.environment
        environment["DATABASE_URL"] = database
        environment["WHEREABOUTS_LOG_LEVEL"] = "warning"
        environment["WHEREABOUTS_SERVICE_SECRET"] = "a-secret-of-the-benchmark-and-nobody-else"
        let empty = try await takeover(log, environment, directory)
        note("on an empty log: \(empty)")
        let day = LocatedDay(perSecond: rate)
        note("writing the ids of \(day.scans) scans, and states of their devices")
        try await day.write(to: log)
        let full = try await takeover(log, environment, directory)
        note("after a day: \(full)")
        await log.close()
        print(
            #"{"benchmark":"takeover-\#(name)","scans":\#(day.scans),"bytesOfIDs":\#(day.bytes),"#
                + #""bytesOfStates":\#(day.bytesOfStates),"#
                + #""emptyLog":\#(empty.json),"day":\#(full.json)}"#)
    }

    private func takeover(
        _ log: any EventLog, _ environment: [String: String], _ directory: URL
    ) async throws -> Takeover {
        var locators: [PinnedProgram] = []
        for address in Self.addresses {
            var environment = environment
            environment["WHEREABOUTS_LISTEN"] = address
            locators.append(
                try PinnedProgram(
                    "whereabouts", ["serve", "locator"], processor: nil, environment: environment,
                    in: directory))
        }
        let load = Benchmark.beside { [rate] in try await Self.send(rate, to: log) }
        defer { load.cancel() }
        // Each partition has a position: its owner has read the state back.
        try await ScanPartitions(log).untilAllMove(limit: .seconds(300))
        try await Task.sleep(for: Self.running)
        let positions = try await ScanPartitions(log)
        let killedAt = Timestamp.now
        locators[1].kill()
        let times = try await positions.times(for: Self.observed)
        let memory = Double(try locators[0].mostResidentBytes()) / 1e6
        load.cancel()
        await load.value
        locators[0].end()
        return Takeover(times, killedAt: killedAt, megabytes: memory)
    }

    /// Appends scans at a steady rate, each device one in five seconds.
    private static func send(_ rate: Int, to log: any EventLog) async throws {
        var samples = ScanSamples(seed: 5)
        let start = ContinuousClock.now
        var sent = 0
        while !Task.isCancelled {
            let due = Int((ContinuousClock.now - start) / .seconds(1) * Double(rate))
            let records = (sent..<max(sent, due)).map { number in
                let now = Timestamp.now
                let id = EventID(at: now)
                let device = LocatedDay.device(number % (5 * rate))
                return samples.scan(device: number, id: id, at: now)
                    .recorded(id: id, site: ScanSamples.site, device: device)
                    .record(source: "/benchmark")
            }
            if !records.isEmpty { try await log.append(records) }
            sent = max(sent, due)
            try await Task.sleep(for: .milliseconds(20))
        }
    }
}
